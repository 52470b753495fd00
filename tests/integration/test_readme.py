"""What README.md shows of mounts is what config/quickstart.ini has, and its commands work as typed."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from harness import Gateway
from harness.gateway import BINARY

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from listening import Listening  # noqa: E402


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def section_of(readme, title):
    return re.search(rf"^## {title}\n(.*?)^## ", readme, re.M | re.S)[1]


class QuickStart:
    """config/quickstart.ini on ports that the system chooses; Gateway takes it for a configuration."""

    def __init__(self, mock_port):
        self.env, self.pools = {}, {}
        self.lines = text_of("config", "quickstart.ini").replace("127.0.0.1:9900", f"127.0.0.1:{mock_port}")
        self.lines = self.lines.replace("listen = 127.0.0.1:8080", "listen = 127.0.0.1:0").replace("policies = ../policies\n", "")

    def text(self):
        return self.lines


class Mounts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.section = section_of(text_of("README.md"), "Mounts")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.mock = Listening([os.path.join(os.path.dirname(BINARY), "mock_provider"), "--port", "0"],
                             os.path.join(folder.name, "mock.log"))
        cls.addClassCleanup(cls.mock.stop)
        cls.gateway = Gateway(QuickStart(cls.mock.port))
        cls.addClassCleanup(cls.gateway.stop)

    def test_the_examples_are_the_quick_starts(self):
        examples = re.findall(r"```ini\n(.*?)```", self.section, re.S)
        self.assertEqual(len(examples), 4)
        for example in examples:
            self.assertIn("\n" + example, text_of("config", "quickstart.ini"))

    def test_their_commands_work(self):
        commands = re.findall(r"^    (curl (?:.*\\\n)*.*)$", self.section, re.M)
        self.assertEqual(len(commands), 4)
        for command in commands:
            with self.subTest(command):
                typed = command.replace("127.0.0.1:8080", f"127.0.0.1:{self.gateway.port}")
                done = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, timeout=60, check=True)
                self.assertIn("Hello", done.stdout)
                if "-N" not in command and "-i" not in command:
                    self.assertIsInstance(json.loads(done.stdout), dict)
