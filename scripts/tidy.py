#!/usr/bin/env python3
"""clang-tidy over the sources of host, sdk and plugins:  tidy.py BUILD    (with its compile_commands.json)

Most of a file's time goes into the headers that it shares with its neighbours, so the files of one folder are read as one
translation unit. Where names of two files clash in that, the unit is halved until they do not. What was found clean is
not read again while its text, the headers and the checks stay as they are."""
import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TIDY = "clang-tidy-14"


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], stdout=subprocess.PIPE, check=True).stdout
    return listed.decode().split("\0")[:-1]


def digest(*names, text=""):
    total = hashlib.sha256(text.encode())
    for name in names:
        with open(name, "rb") as file:
            total.update(file.read() + b"\0")
    return total.hexdigest()


def options(entry):
    """How it is compiled, without its own name and its object's."""
    words, out = iter(shlex.split(entry["command"])[1:]), []
    for word in words:
        if word in ("-o", "-c"):
            next(words)
        else:
            out.append(word)
    return tuple(out)


def groups(build):
    """Files by folder and by how they are compiled."""
    with open(f"{build}/compile_commands.json", encoding="utf-8") as file:
        entries = {os.path.relpath(entry["file"]): entry for entry in json.load(file)}
    found = {}
    for source in tracked("host/src/*.cpp", "plugins/*.cpp", "sdk/*.cpp"):
        if source in entries:
            found.setdefault((os.path.dirname(source), options(entries[source])), []).append(source)
    return found


class Tidy:
    def __init__(self, build):
        self.build = build
        self.around = digest(*tracked("*.h", "*.hpp", "*.inc", ".clang-tidy"))
        self.stamps = "build/lint"
        os.makedirs(self.stamps, exist_ok=True)
        self.unit = os.path.abspath(f"{self.stamps}/unit.cpp")
        with open(self.unit, "w", encoding="utf-8") as file:
            file.write("// The files are its options.\n")

    def read(self, sources, how):
        """What is wrong with these, as text."""
        stamp = os.path.join(self.stamps, digest(*sources, text=self.around + " ".join(how)))
        if os.path.exists(stamp):
            return ""
        included = [word for source in sources for word in ("-include", os.path.abspath(source))]
        # -w: the compilers' own warnings are the builds' business.
        checks = "--checks=-bugprone-suspicious-include"  # which a unit like this is
        done = subprocess.run([TIDY, "--quiet", checks, self.unit, "--", *how, "-w", *included], cwd=self.build, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)
        if done.returncode == 0:
            with open(stamp, "w", encoding="utf-8"):
                return ""
        if "[clang-diagnostic-error]" in done.stdout and len(sources) > 1:
            half = len(sources) // 2
            return self.read(sources[:half], how) + self.read(sources[half:], how)
        return done.stdout or f"{', '.join(sources)}: {TIDY} ended with status {done.returncode}\n"


def main():
    (build,) = sys.argv[1:]
    tidy = Tidy(build)
    work = sorted(groups(build).items(), key=lambda item: -len(item[1]))  # the longest first
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = "".join(pool.map(lambda item: tidy.read(item[1], list(item[0][1])), work))
    print(wrong, end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
