"""Circuits with times of a test's own: short where it waits for a probe, long where something must still be closed."""
import os
import shutil
import tempfile

from .gateway import POLICIES

SCRIPT = """
local seconds = { %s }
function backoff(class, level, hint_ms)
    local steps = seconds[class] or { 300 }
    return (steps[math.min(level + 1, #steps)]) * 1000, false
end
"""


def policies_with_schedule(**seconds):
    """A folder of policies, by whose schedule the circuit of a class stays open for so many seconds a level, hints or
    not; 300 for classes left out. Call its `cleanup` in the end."""
    folder = tempfile.TemporaryDirectory()
    shutil.copytree(POLICIES, folder.name, dirs_exist_ok=True)
    steps = ", ".join(f"{name} = {{ {', '.join(map(str, levels))} }}" for name, levels in seconds.items())
    with open(os.path.join(folder.name, "failure", "schedules.lua"), "w", encoding="utf-8") as file:
        file.write(SCRIPT % steps)
    os.remove(os.path.join(folder.name, "spec", "schedules_spec.lua"))
    return folder
