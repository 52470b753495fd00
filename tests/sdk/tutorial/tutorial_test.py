"""The tutorial of sdk/README.md, word for word, in a folder outside the repository, against an installed SDK."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from listening import Listening

BUILD, SOURCE, CMAKE = (os.environ[name] for name in ("WM_BUILD", "WM_SOURCE", "WM_CMAKE"))
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks():
    """(language, the word after it, text) of each code block of the tutorial."""
    with open(os.path.join(SOURCE, "sdk/README.md"), encoding="utf-8") as file:
        tutorial = file.read().split("## Fifteen minutes to a plugin\n", 1)[1]
    return BLOCK.findall(tutorial)


class TutorialTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="wm-tutorial-")
        self.addCleanup(folder.cleanup)
        self.work = folder.name
        self.sdk, self.plugins = os.path.join(self.work, "sdk"), os.path.join(self.work, "plugins")
        subprocess.run([CMAKE, "--install", BUILD, "--component", "SDK", "--prefix", self.sdk], check=True,
                       stdout=subprocess.DEVNULL)
        # The gateway that the tutorial takes for granted: its program, its policies, one transcoder.
        shutil.copytree(os.path.join(BUILD, "plugins/openai-chat"), os.path.join(self.plugins, "openai-chat"))
        binaries = os.path.join(self.work, "bin")
        os.mkdir(binaries)
        with open(os.path.join(binaries, "watermaster"), "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\nexec {BUILD}/bin/watermaster "$@" --policies {SOURCE}/policies\n')
        os.chmod(file.name, 0o755)
        self.env = {**os.environ, "SDK": self.sdk, "PLUGINS": self.plugins,
                    "PATH": binaries + os.pathsep + os.environ["PATH"]}
        # What a shell keeps between commands: its folder and its variables.
        self.state = os.path.join(self.work, "state")
        with open(self.state, "w", encoding="ascii") as file:
            file.write(f"cd {self.work}\n")

    def shell(self, text):
        script = f'set -eu\n. {self.state}\n{text}\n{{ export -p; echo "cd $PWD"; }} >{self.state}\n'
        done = subprocess.run(["bash", "-c", script], env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=500, check=False)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}")
        return done.stdout

    def serve(self, text):
        gateway = Listening(["bash", "-c", f". {self.state}\nexec env {text}"], os.path.join(self.work, "gateway.log"),
                          env=self.env)
        self.addCleanup(gateway.stop)
        return gateway

    def test_word_for_word(self):
        mock = Listening([os.path.join(BUILD, "bin/mock_provider"), "--port", "0"], os.path.join(self.work, "mock.log"))
        self.addCleanup(mock.stop)
        ports, gateway, said = {"127.0.0.1:9900": "127.0.0.1:" + mock.port, "127.0.0.1:8080": "127.0.0.1:0"}, None, ""
        for language, word, text in blocks():
            for written, real in ports.items():
                text = text.replace(written, real)
            if language != "sh":
                with open(os.path.join(self.work, "orchard", word), "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(file.name, 0o600)
            elif word == "serve":
                gateway = self.serve(text)
                ports["127.0.0.1:8080"] = "127.0.0.1:" + gateway.port
            else:
                said = self.shell(text)
        self.assertIsNotNone(gateway)
        answer = json.loads(said)
        self.assertEqual(answer["object"], "chat.completion", said)
        self.assertTrue(answer["choices"][0]["message"]["content"], said)
        self.assertEqual(gateway.stop(), 0)
        self.check_package()

    def check_package(self):
        """The .deb holds what the tutorial unpacked, and depends on the libraries it needs."""
        package, = glob.glob(os.path.join(self.work, "orchard/build/*.deb"))
        fields = subprocess.run(["dpkg-deb", "-f", package, "Package", "Depends"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        self.assertIn("Package: watermaster-plugin-orchard\n", fields)
        self.assertRegex(fields, r"Depends: .*libc6 \(>= ")
        root = os.path.join(self.work, "root")
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)
        installed = os.path.join(root, "usr/lib/watermaster/plugins/orchard")
        for name in ("orchard.so", "plugin.ini"):
            with open(os.path.join(installed, name), "rb") as one, \
                    open(os.path.join(self.plugins, "orchard", name), "rb") as other:
                self.assertEqual(one.read(), other.read(), name)

    def test_the_template_as_it_is(self):
        self.shell("cp -r $SDK/share/watermaster-sdk/template acme\ncd acme\nexport CMAKE_PREFIX_PATH=$SDK\n"
                   "cmake -B build -DCMAKE_CXX_FLAGS='-Wall -Wextra -Wpedantic -Werror'\ncmake --build build\n"
                   "ctest --test-dir build --output-on-failure")


if __name__ == "__main__":
    unittest.main()
