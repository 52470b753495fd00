"""What a command line that cannot be run is answered: what was wrong, what was probably meant, and status 2."""
import os
import socket
import subprocess
import tempfile
import unittest

from harness import GatewayTest, Config, run_command, scaled
from harness.gateway import BINARY, PLUGINS, POLICIES, require_environment


def run(*arguments, folder=None, env=None):
    require_environment()
    done = subprocess.run([BINARY, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, timeout=scaled(20), check=False)
    return done.returncode, done.stdout, done.stderr


class CommandLine(unittest.TestCase):
    def test_what_was_probably_meant(self):
        for arguments, said in (
                (["check", "--confg", "x.ini"], "unknown option --confg; did you mean --config?; expected of --config, "),
                (["check", "--confg=x.ini"], "unknown option --confg; did you mean --config?"),
                (["-c", "x.ini"], "unknown option -c; did you mean --config?"),
                (["check", "--config"], "--config without its value; expected --config VALUE\n"),
                (["check", "--zzz"], "unknown option --zzz; expected of "),
                (["check", "base.ini"], "check: unexpected 'base.ini'; did you mean --config base.ini?; expected "),
                (["base.ini"], "unknown command 'base.ini'; did you mean --config base.ini?; expected one of serve, "),
                (["chekc"], "unknown command 'chekc'; did you mean check?; expected one of serve, check, version, "),
                (["explain"], "explain without its argument; expected one REQUEST.json, or - for standard input"),
                (["explain", "a.json", "b.json"], "explain: unexpected 'b.json'; expected one REQUEST.json")):
            with self.subTest(arguments=arguments):
                status, out, errors = run(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertTrue(errors.startswith("watermaster: " + said), errors)
                self.assertIn("--help", errors)

    def test_the_version(self):
        plain = run("version")
        self.assertEqual(plain[0], 0)
        self.assertRegex(plain[1], r"\Awatermaster \d+\.\d+")
        self.assertEqual(run("--version"), plain)

    @unittest.skipIf(os.path.exists("/etc/watermaster/watermaster.ini"), "an installation is here")
    def test_no_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            for command in ("serve", "check"):
                status, _, errors = run(command, folder=folder, env={"WATERMASTER_CONFIG": ""})
                self.assertEqual(status, 2)
                self.assertRegex(errors, r"no configuration: neither \./watermaster\.ini nor \S+ is there; name one with "
                                         r"--config FILE")


class Remarks(GatewayTest):
    @classmethod
    def configure(cls):
        return Config()

    def test_that_nothing_is_served(self):
        said = "neither a model nor a mount is configured, so nothing is served; expected a [model"
        status, text, path = run_command("check", "[server]\n")
        self.assertEqual(status, 0)
        self.assertIn(f"{path}: note: {said}", text)
        self.assertIn(f"{path}: valid", text)
        self.assertIn(said, "".join(self.gateway.errors))


class Plugins(unittest.TestCase):
    BACKEND = ('[backend "b"]\nadapter = custom-chat-completions\nbase_url = http://127.0.0.1:9\n'
               '[credential "b" "k"]\napi_key = public:x\n[upstream-model "b" "m"]\n[model "m"]\n[layer "m" "l"]\n'
               'target = b/k m\n')

    def check(self, *names):
        with tempfile.TemporaryDirectory() as folder:
            plugins = os.path.join(folder, "plugins")
            os.mkdir(plugins)
            for name in names:
                os.symlink(os.path.join(PLUGINS, name), os.path.join(plugins, name))
            path = os.path.join(folder, "w.ini")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.BACKEND)
            os.chmod(path, 0o600)
            status, _, errors = run("check", "--config", path, "--plugins", plugins, "--policies", POLICIES)
            self.assertEqual(status, 1)
            return errors.replace(folder, "F")

    def test_an_empty_folder_is_named(self):
        self.assertIn('F/w.ini:2: [backend "b"] adapter: no adapter is loaded; expected its plugin in F/plugins, a folder '
                      'with plugin.ini; got custom-chat-completions\n', self.check())

    def test_the_plugin_that_is_wanted_is_named(self):
        self.assertIn("the plugin of openai-chat in F/plugins", self.check("custom"))


class Listening(unittest.TestCase):
    def test_each_reason_has_its_remedy(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            for address, said in (
                    ("192.0.2.1:8080", "this machine has no such address; set [server] listen to one of its own"),
                    ("127.0.0.1:%d" % other.getsockname()[1], "is another program using the address? Set [server] listen"),
                    ("127.0.0.1:1", "a port below 1024 takes the capability CAP_NET_BIND_SERVICE")):
                with self.subTest(address=address), tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "w.ini")
                    with open(path, "w", encoding="utf-8") as file:
                        file.write("[server]\nallow_anonymous = yes\n")
                    command = ["setpriv", "--bounding-set=-net_bind_service"] if os.geteuid() == 0 else []
                    done = subprocess.run([*command, BINARY, "serve", "--config", path, "--plugins", PLUGINS, "--policies",
                                           POLICIES, "--listen", address], stderr=subprocess.PIPE, text=True,
                                          timeout=scaled(20), check=False)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
