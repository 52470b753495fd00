"""watermaster-plugin-check finds each way in which a plugin can break its contract, and survives it."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

CHECK = os.environ["WM_PLUGIN_CHECK"]
FIXTURES = os.environ["WM_FIXTURES"]

BAD = "id = bad\nkind = transcoder\nversion = 1.0\nabi = 1.0\nlicence = none\nlibrary = {}.so\n"
BOTH = ("id = both\ncomponents = old-and-new, provider\nkind = transcoder, adapter\nversion = 0.9\nabi = 1.0\n"
        "licence = none\nlibrary = {}.so\n")

# Fixtures of misbehaving.c: the case that tells, and a part of what it says.
MISBEHAVING = {
    "crashing-constructor": ("load", "static constructors: expected the process to go on, found .*"),
    "exiting-constructor": ("load", "the process ended with status (0|66).*must never end its process"),
    "crashing-destructor": ("load", "the plugin's static destructors: expected the process to go on"),
    "crashing-destroy": ("create", "destroy in the order of creation: expected the process to go on"),
    "second-symbol": ("symbols", "found 2: a_second_symbol, wm_plugin_entry_v1; build it with wm_add_plugin"),
    "exiting": ("requests", "request built-in: facts: .*status 3, saying `out of patience"),
    "reading-too-far": ("truncation", "facts and rewrite, built-in after 1 bytes: expected the process to go on"),
    "needing-an-error": ("nulls", "facts of an empty request, without wm_error: expected the process to go on"),
    "counting": ("determinism", "every sample once more: expected the same results, found `.*instead of `"),
    "looking-around": ("determinism", "another time zone.*: expected the same results"),
    "sharing": ("concurrency", "in 4 threads: expected "),
    "going-on": ("refusal", "refuses after 0 results: expected WM_REFUSED returned.*found status 0 and"),
    "without-reason": ("truncation", "after 7 bytes: expected WM_OK, .*found status -5"),
    "telling": ("secrecy", "expected an error text of the plugin's own words"),
    "logging": ("secrecy", "expected no log but in create and bind, found `a request!`"),
    "no-splice": ("requests", "rewrite: expected an edited request.*returned OK without a SPLICE"),
    "no-json": ("answers", "write_error: expected a JSON document"),
    "no-verdict": ("answers", "frame 1: expected a verdict.*returned OK without a VERDICT"),
    "no-end": ("answers", "tap_end of a stream that ended by itself: expected a verdict"),
    "keeping-a-view": ("splits", "cut at byte 0: expected the same results.*keep copies, not views"),
    "remembering": ("translation", "read of request built-in once more: expected the same events, found others"),
    "writing-nothing": ("translation", r"request built-in after \d bytes: expected WM_OK, .*found status -5"),
    "binding-nothing": ("backends", "bind: expected a backend, found base_url: never good enough; .*--set NAME=VALUE"),
    "missing-prepare": ("load", "component 1 `provider`: table: expected the function `prepare`, found null"),
    "pasting": ("backends", "expected a URL of the configured upstream.*; escape model names"),
    "in-words": ("backends", "LIMITs, as RESOURCE/remaining.*: a LIMIT whose value is no decimal number"),
    "unframe-remembers": ("determinism", "unframe of a frame of built-in: .*unframe keeps nothing between calls"),
    "unframe-needs-an-error": ("nulls", "unframe of an empty frame, without wm_error: expected the process to go on"),
    "unframe-reads-too-far": ("truncation", "unframe, built-in after 1 bytes of a frame: expected the process to go on"),
    "unframe-goes-on": ("refusal", "unframe of a frame of built-in.*refuses after 0 results: expected WM_REFUSED returned"),
    "unframe-nothing": ("backends", "unframe, document built-in: expected one FRAME of a document, found 0"),
    "broken-head": ("backends", "plugin misbehaving: a HEADER that would break the request's head"),
}

# Fixtures of bad.c, each refused by the host's own judgement; the loader's tests know every reason.
REFUSED = {
    "entry-size": "expected a size of at least 32 bytes, found 16 bytes",
    "major": "expected ABI 1, found ABI 2.0",
    "missing-function": "expected the function `tap_end`, found null",
    "facts-no-json": "expected a JSON object",
}


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def install(self, name, manifest):
        library = shutil.copy(os.path.join(FIXTURES, name + ".so"), self.folder.name)
        os.chmod(library, 0o644)
        with open(os.path.join(self.folder.name, "plugin.ini"), "w", encoding="ascii") as file:
            file.write(manifest.format(name))
        return library

    def check(self, library, *options):
        done = subprocess.run([CHECK, *options, library], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=200, check=False)
        return done.returncode, done.stdout

    def finds(self, library, case, pattern, *options):
        status, said = self.check(library, "--case", case, *options)
        self.assertEqual(status, 1, said)
        self.assertRegex(said, rf"(?m)^{case} +FOUND$")
        self.assertTrue(re.search(pattern, said, re.DOTALL), f"expected /{pattern}/ in:\n{said}")

    def test_honest_plugins_pass(self):
        future = BOTH.replace("provider", "provider, future-oracle").replace("0.9", "9.0").replace("1.0", "1.9")
        for name, manifest in (("honest", BOTH), ("kept", BOTH), ("future", future)):
            status, said = self.check(self.install(name, manifest))
            self.assertEqual(status, 0, said)
            self.assertIn("16 cases, 0 findings", said)
            self.assertNotIn("not run", said)

    def test_every_misbehaviour_is_found(self):
        for name, (case, pattern) in MISBEHAVING.items():
            with self.subTest(name):
                self.finds(self.install(name, BOTH), case, pattern)

    def test_a_hang_is_ended(self):
        self.finds(self.install("hanging", BOTH), "requests",
                   "request built-in: facts: .*no return within 5 s", "--seconds=5")

    def test_what_throws_is_found(self):
        self.finds(self.install("throwing-create", BAD), "create", "create: expected the process to go on")
        # The C++ layer's barrier turns it into a status, which is still no answer.
        self.finds(self.install("throwing", BAD), "requests", "facts: expected facts, found .*unexpected exception")

    def test_what_the_host_refuses_is_told_in_its_words(self):
        for name, reason in REFUSED.items():
            with self.subTest(name):
                status, said = self.check(self.install(name, BAD))
                self.assertEqual(status, 1, said)
                self.assertIn(reason, said)
                self.assertRegex(said, r"(?m)^create +not run$")

    def test_failing_create(self):
        self.finds(self.install("failing-create", BAD), "create", "expected create to succeed, found .*the moon is full")

    def test_the_manifest_is_that_of_the_library(self):
        library = self.install("honest", BOTH.replace("{}", "other"))
        self.finds(library, "manifest", "key `library`: expected `honest.so`, found `other.so`")
        library = self.install("honest", BOTH + "sha265 = 0\n")
        self.finds(library, "manifest", "key `sha265`: expected a key of the manifest, found an unknown one")
        os.chmod(self.install("honest", BOTH), 0o666)
        self.finds(library, "load", "expected a file that group and others cannot write")

    def test_samples_must_be_understood(self):
        with open(os.path.join(self.folder.name, "empty.request.json"), "w", encoding="ascii"):
            pass
        self.finds(self.install("honest", BOTH), "requests", "request empty.request.json: facts: expected facts",
                   "--samples", self.folder.name)

    def test_wrong_usage(self):
        library = self.install("honest", BOTH)
        for options in ([], [library, library], ["--case=nonsense", library], ["--seconds=0", library],
                        ["--samples=/nonexistent", library], ["--loud=1", library], [library, "--set"]):
            done = subprocess.run([CHECK, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  timeout=60, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""), options)
            self.assertIn("watermaster-plugin-check: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
