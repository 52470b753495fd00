"""What a released header of the ABI defines, the current one defines alike: a word or a number never changes its meaning.

Structs are held by layout.inc; this is for words.h, and for the numbers of plugin.h.
"""
import os
import re
import sys
import unittest

SDK, KEPT = sys.argv.pop(1), sys.argv.pop(1)  # folders of the current headers, and of each released version's
GROWS = {"WM_ABI_MINOR"}


def defines(folder):
    """By name: the value of each macro without parameters."""
    found = {}
    for name in ("plugin.h", "words.h"):
        with open(os.path.join(folder, "watermaster", name), encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
        for macro, value in re.findall(r"^#define (WM_\w+)[ \t]+(\S.*?)\s*$", text, flags=re.M):
            found[macro] = value
    return found


class Words(unittest.TestCase):
    def test_released_ones_stand(self):
        now, versions = defines(SDK), sorted(os.listdir(KEPT))
        versions = [version for version in versions if os.path.isdir(os.path.join(KEPT, version))]
        self.assertTrue(versions)
        for version in versions:
            released = defines(os.path.join(KEPT, version))
            self.assertGreater(len(released), 150, "read the wrong way")
            for name in released.keys() - GROWS:
                with self.subTest(version=version, name=name):
                    self.assertEqual(now.get(name), released[name])

    def test_each_number_is_used_once(self):
        for kind in ("WM_EV_", "WM_OUT_"):
            numbers = {name: value for name, value in defines(SDK).items() if name.startswith(kind)}
            self.assertEqual(len(set(numbers.values())), len(numbers))


if __name__ == "__main__":
    unittest.main()
