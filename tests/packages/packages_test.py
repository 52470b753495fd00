"""The packages are made, unpacked into a clean root, and serve from there, without root and from the paths they agree on."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from listening import Listening

BUILD, SOURCE, CPACK = (os.environ[name] for name in ("WM_BUILD", "WM_SOURCE", "WM_CPACK"))
NOBODY = 65534
LATE = "watermaster-plugin-anthropic-messages"  # comes to an installation that is running

CONFIGURATION = """
[backend "mock"]
adapter = custom-chat-completions
base_url = http://127.0.0.1:{port}
[credential "mock" "main"]
api_key = env:MOCK_KEY
[upstream-model "mock" "mock-ok"]

[model "packed"]
[layer "packed" "only"]
target = mock/main mock-ok
"""

LATE_CONFIGURATION = """
[backend "late"]
adapter = custom-anthropic
base_url = http://127.0.0.1:{port}
[credential "late" "main"]
api_key = env:MOCK_KEY
[upstream-model "late" "mock-ok"]

[model "late"]
[layer "late" "only"]
target = late/main mock-ok
"""


def run(*command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=500, check=False, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def plugins():
    return sorted(os.path.basename(os.path.dirname(file)) for file in glob.glob(f"{SOURCE}/plugins/*/plugin.ini"))


def files_in_deb(package):
    """Names without a leading slash; folders left out."""
    listed = run("dpkg-deb", "-c", package).splitlines()
    return sorted(line.split()[5].removeprefix("./") for line in listed if not line.startswith("d"))


def libraries_of(*files):
    """What the dynamic loader opens for these, and the loader."""
    return sorted(set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", "".join(run("ldd", file) for file in files), re.MULTILINE)))


class PackagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="wm-packages-")
        cls.made = os.path.join(cls.folder.name, "made")
        run(CPACK, "--config", f"{BUILD}/CPackConfig.cmake", "-B", cls.made)
        cls.debs = {os.path.basename(file).split("_")[0]: file for file in sorted(glob.glob(f"{cls.made}/*.deb"))}
        cls.root = os.path.join(cls.folder.name, "root")
        for package, deb in cls.debs.items():
            if package != LATE:
                run("dpkg-deb", "-x", deb, cls.root)
        cls.add_libraries()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def add_libraries(cls):
        """What the packages depend on, as far as the program needs it."""
        ours = [f"{cls.root}/usr/bin/watermaster", *glob.glob(f"{cls.root}/usr/lib/watermaster/plugins/*/*.so")]
        for library in libraries_of(*ours):
            os.makedirs(os.path.dirname(cls.root + library), exist_ok=True)
            shutil.copy(library, cls.root + library)

    def inside(self, *command):
        """The command in the root, as a user who owns nothing there."""
        if os.geteuid() == 0:
            return ["chroot", f"--userspec={NOBODY}:{NOBODY}", self.root, *command]
        return ["unshare", "--map-root-user", "chroot", self.root, *command]

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.debs[package], name).strip()

    def test_each_component_is_a_package_of_both_kinds(self):
        expected = ["watermaster", "watermaster-policies", "watermaster-sdk"]
        expected += [f"watermaster-plugin-{name}" for name in plugins()]
        self.assertEqual(sorted(self.debs), sorted(expected))
        self.assertEqual(len(glob.glob(f"{self.made}/*.tar.gz")), len(expected))
        for package, deb in self.debs.items():
            archive, = glob.glob(f"{self.made}/{package}-[0-9]*.tar.gz")
            listed = [name for name in run("tar", "-tzf", archive).split() if not name.endswith("/")]
            self.assertEqual(sorted(listed), files_in_deb(deb), package)

    def test_a_plugin_is_its_folder(self):
        for name in plugins():
            place = f"usr/lib/watermaster/plugins/{name}"
            self.assertEqual(files_in_deb(self.debs[f"watermaster-plugin-{name}"]),
                             sorted([f"{place}/{name}.so", f"{place}/plugin.ini",
                                     f"usr/share/doc/watermaster-plugin-{name}/copyright"]))
            unpacked = os.path.join(self.folder.name, name)
            run("dpkg-deb", "-x", self.debs[f"watermaster-plugin-{name}"], unpacked)
            with open(f"{unpacked}/{place}/plugin.ini", encoding="utf-8") as file:
                self.assertRegex(file.read(), r"(?m)^sha256 = [0-9a-f]{64}$")

    def test_no_file_is_in_two_packages(self):
        owner = {}
        for package, deb in self.debs.items():
            for file in files_in_deb(deb):
                self.assertIsNone(owner.get(file), f"{file}: in {package} and {owner.get(file)}")
                owner[file] = package

    def test_dependencies(self):
        host = self.field("watermaster", "Depends")
        for needed in ("watermaster-policies (>= ", "libc6 (>= ", "libpoconetssl80", "liblua5.4-0", "libprometheus-cpp-core1.0", "libssl3"):
            self.assertIn(needed, host)
        for name in plugins():
            self.assertIn(f"watermaster-plugin-{name}", self.field("watermaster", "Recommends"))
            depends = self.field(f"watermaster-plugin-{name}", "Depends")
            self.assertIn("libc6 (>= ", depends)
            self.assertNotIn("poco", depends)
        self.assertEqual(self.field("watermaster-policies", "Architecture"), "all")
        self.assertIn("libc6 (>= ", self.field("watermaster-sdk", "Depends"))

    def test_what_an_operator_edits_is_kept(self):
        control = os.path.join(self.folder.name, "control")
        run("dpkg-deb", "-e", self.debs["watermaster"], control)
        with open(f"{control}/conffiles", encoding="ascii") as file:
            self.assertEqual(file.read().split(), ["/etc/watermaster/watermaster.ini"])
        for script in ("postinst", "prerm"):
            run("sh", "-n", f"{control}/{script}")

    def test_the_unit_names_what_is_installed(self):
        with open(f"{self.root}/usr/lib/systemd/system/watermaster.service", encoding="utf-8") as file:
            unit = file.read()
        program, = re.findall(r"(?m)^ExecStart=(\S+) serve", unit)
        self.assertTrue(os.access(self.root + program, os.X_OK))
        user, = re.findall(r"(?m)^User=(\S+)$", unit)
        with open(f"{self.root}/usr/lib/sysusers.d/watermaster.conf", encoding="utf-8") as file:
            self.assertRegex(file.read(), rf"(?m)^u {user} ")

    def test_the_unit_is_hardened(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("needs systemd-analyze")
        unit = "usr/lib/systemd/system/watermaster.service"
        # 0 is sealed, 100 is what a unit without any restriction gets.
        run("systemd-analyze", "security", "--offline=true", "--threshold=15", os.path.join(self.root, unit))

    def configure(self, text):
        with open(f"{self.root}/etc/watermaster/watermaster.ini", "a", encoding="utf-8") as file:
            file.write(text)

    def ask(self, gateway, path, model, stream=False):
        """Status and body."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{gateway.port}{path}", headers={"Content-Type": "application/json"},
            data=json.dumps({"model": model, "stream": stream, "max_tokens": 9,
                             "messages": [{"role": "user", "content": "Hi"}]}).encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def test_a_clean_root_serves(self):
        mock = Listening([f"{BUILD}/bin/mock_provider", "--port", "0"], f"{self.folder.name}/mock.log")
        self.addCleanup(mock.stop)
        # As installed: no option says where anything is.
        judged = run(*self.inside("/usr/bin/watermaster", "check"))
        self.assertRegex(judged, r"\A/etc/watermaster/watermaster.ini: note: neither a model nor a mount [^\n]*\n"
                         r"/etc/watermaster/watermaster.ini: valid\n\Z")
        self.configure(CONFIGURATION.format(port=mock.port))
        state = f"{self.root}/var/lib/watermaster"  # where there is no systemd to make it
        os.makedirs(state)
        if os.geteuid() == 0:
            os.chown(state, NOBODY, NOBODY)
        gateway = Listening(self.inside("/usr/bin/watermaster", "serve", "--listen", "127.0.0.1:0"),
                            f"{self.folder.name}/gateway.log", env={**os.environ, "MOCK_KEY": "secret"})
        self.addCleanup(gateway.stop)
        with open(f"/proc/{gateway.process.pid}/status", encoding="ascii") as file:
            uid, = set(re.search(r"(?m)^Uid:\s+(.*)$", file.read())[1].split())
        self.assertNotEqual(uid, "0")
        for stream, part in ((False, '"chat.completion"'), (True, "data: [DONE]")):
            status, said = self.ask(gateway, "/v1/chat/completions", "packed", stream)
            self.assertEqual(status, 200, said)
            self.assertIn(part, said)
        self.check_late_package(gateway, mock)
        self.assertEqual(gateway.stop(), 0, gateway.said())

    def check_late_package(self, gateway, mock):
        """A plugin's package that is installed while the gateway runs is live after a reload."""
        self.assertEqual(self.ask(gateway, "/v1/messages", "late")[0], 404)
        run("dpkg-deb", "-x", self.debs[LATE], self.root)
        self.configure(LATE_CONFIGURATION.format(port=mock.port))
        gateway.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + 30
        while (answer := self.ask(gateway, "/v1/messages", "late"))[0] == 404 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(answer[0], 200, f"{answer}\n{gateway.said()}")
        self.assertIn('"type":"message"', answer[1])


if __name__ == "__main__":
    unittest.main()
