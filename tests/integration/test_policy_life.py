"""policies/README.md, followed to the letter: its blocks are run as they stand there."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import CHAT, Config, Gateway, Upstream, eventually, json_answer
from harness.gateway import BINARY, POLICIES
from harness.support import scaled

USED_UP = json_answer(403, {"error": {"message": "no more", "type": "plan", "reason": "plan_used_up"}})
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.S)


def blocks():
    with open(os.path.join(POLICIES, "README.md"), encoding="utf-8") as file:
        return BLOCK.findall(file.read())


class PolicyLife(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        shutil.copytree(POLICIES, os.path.join(self.folder.name, "policies"))
        self.upstreams = [Upstream(), Upstream()]
        self.gateway = None

    def tearDown(self):
        try:
            if self.gateway:
                self.gateway.stop()
        finally:
            for upstream in self.upstreams:
                upstream.close()
            self.folder.cleanup()

    def run_shell(self, text):
        """A block of commands, each of which must succeed: what they print."""
        os.makedirs(bin_folder := os.path.join(self.folder.name, "bin"), exist_ok=True)
        if not os.path.exists(link := os.path.join(bin_folder, "watermaster")):
            os.symlink(BINARY, link)
        env = {**os.environ, "PATH": bin_folder + ":" + os.environ["PATH"], "WATERMASTER_CONFIG": "/nonexistent"}
        done = subprocess.run(["sh", "-e", "-c", text], cwd=self.folder.name, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=scaled(60),
                              check=False)
        self.assertEqual(done.returncode, 0, text + done.stdout)
        return done.stdout

    def write(self, text):
        """A Lua block, whose first line names its file."""
        name = re.match(r"-- (policies/\S+)\n", text)[1]
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def serve(self, ini):
        keys = dict(line.split(" = ") for line in ini.splitlines() if " = " in line)
        self.assertEqual(keys["adapter"], CHAT.adapter)
        config = Config().backend("acme", self.upstreams[0], failure_policy=keys["failure_policy"])
        config.backend("spare", self.upstreams[1])
        config.pool("m-", 20, ["acme"], ["spare"])
        self.gateway = Gateway(config, policies=os.path.join(self.folder.name, "policies"))
        self.upstreams[0].always = lambda request: USED_UP

    def meaning(self):
        """As what the next failure at Acme is taken; the client is served by the other in any case."""
        response = self.gateway.ask(CHAT, self.gateway.take("m-"), headers=[("X-Relay-Include-Metadata", "1")])
        self.assertEqual(response.status, 200, response)
        return response.get("x-relay-fallback-reason")

    def test_the_readme(self):
        kinds = [kind for kind, _ in blocks()]
        self.assertEqual(kinds, ["ini", "lua", "lua", "sh", "sh", "sh", "sh"], "the walk of the README, block by block")
        ini, script, cases, tries, edit, spoil, repair = [text for _, text in blocks()]
        self.write(script)
        self.write(cases)
        said = self.run_shell(tries)
        self.assertIn("4 cases, all hold", said)
        self.assertIn("failure/acme: holds", said)

        self.serve(ini)
        self.assertEqual(self.meaning(), "provider_quota")

        log = self.gateway.said(lambda: self.run_shell(edit))
        eventually(lambda: self.gateway.generation() > 1, "the edit in use")
        self.assertEqual(self.meaning(), "provider_billing", log)

        before = self.gateway.generation()
        log = self.gateway.said(lambda: self.run_shell(spoil))
        self.assertRegex(log, r"policy failure/acme refused \(syntax\): \S*policies/failure/acme\.lua:20: .* expected")
        self.assertIn("its last good version goes on", log)
        self.assertEqual(self.meaning(), "provider_billing")

        self.run_shell(repair)  # to what is running: no news, and nothing to take
        self.assertEqual(self.meaning(), "provider_billing")
        self.assertEqual(self.gateway.generation(), before)

    def test_faults_are_shown_with_their_place(self):
        _, script, cases, *_ = [text for _, text in blocks()]
        self.write(script.replace("provider_quota", "provider_auth"))
        self.write(cases)
        for command, said in (("test", r"acme_spec\.lua:4: a used-up plan is no bad key\n +expected +class=provider_qu"),
                              ("check", r"failure/acme: refused \(self_test\)\n .*acme_spec\.lua:4: ")):
            with self.subTest(command=command):
                done = subprocess.run([BINARY, "policy", command, "policies/failure/acme.lua"], cwd=self.folder.name,
                                      stdout=subprocess.PIPE, text=True, timeout=scaled(60), check=False)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stdout, said)

    def test_a_script_needs_no_other_than_those_it_falls_back_to(self):
        alone = os.path.join(self.folder.name, "alone")
        script, cases = (os.path.join(alone, name) for name in ("allocation/x.lua", "spec/x_spec.lua"))
        order = "function order(r, c) local o = {} for i = 1, #c do o[i] = i end return o, 'x' end"
        for name, text in ((script, order),
                           (cases, "policy 'allocation/x' case { 'one', order = { candidates = { {} } }, "
                                   "expect = { order = { 1 }, reason = 'x' } }")):
            os.makedirs(os.path.dirname(name))
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        shutil.rmtree(os.path.join(self.folder.name, "policies"))
        said = self.run_shell("cd alone\nfor how in test check bench; do watermaster policy $how allocation/x.lua; done")
        self.assertIn("1 case, all hold", said)
        self.assertIn("allocation/x: holds", said)
        self.assertRegex(said, r"allocation/x +[\d.]+ +[\d.]+ +\d+ +\d+ +\d+ +\d+\n")

    def test_usage(self):
        for arguments in ([], ["prove"], ["test", "absent.lua"], ["check", "policies/spec/generic_spec.lua"],
                          ["test", "--policies", "absent"]):
            with self.subTest(arguments=arguments):
                done = subprocess.run([BINARY, "policy", *arguments], cwd=self.folder.name, stderr=subprocess.PIPE,
                                      text=True, timeout=scaled(60), check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn("expected", done.stderr)


if __name__ == "__main__":
    unittest.main()
