"""Processes of a benchmark, and what the kernel says about them."""
import os
import re
import select
import subprocess
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


class Process:
    """A program and its children: started, watched, ended by its own id."""

    def __init__(self, command, folder, announces=None):
        self.child = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.port = None
        self.text = b""
        if announces:
            self.port = int(self._wait_for(re.compile(announces.encode())).group(1))
        threading.Thread(target=self._drain, daemon=True).start()

    def _wait_for(self, pattern):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if select.select([self.child.stdout], [], [], 0.5)[0]:
                read = os.read(self.child.stdout.fileno(), 65536)
                self.text += read
                if found := pattern.search(self.text):
                    return found
                if not read:
                    break
        self.stop()
        raise SystemExit(f"{self.child.args[0]} did not start: {self.text.decode(errors='replace')}")

    def _drain(self):
        while os.read(self.child.stdout.fileno(), 65536):
            pass

    def ids(self):
        """The process and its children: nginx serves with workers."""
        with open(f"/proc/{self.child.pid}/task/{self.child.pid}/children") as children:
            return [self.child.pid, *map(int, children.read().split())]

    def cpu_seconds(self):
        total = 0
        for pid in self.ids():
            with open(f"/proc/{pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def memory_mb(self):
        total = 0
        for pid in self.ids():
            with open(f"/proc/{pid}/status") as status:
                total += int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))
        return total / 1024

    def stop(self):
        if self.child.poll() is not None:
            return
        self.child.terminate()
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


class Watch:
    """CPU used and the most memory held while the block runs."""

    def __init__(self, process):
        self.process = process
        self.done = threading.Event()

    def __enter__(self):
        self.memory = self.process.memory_mb()
        self.cpu = -self.process.cpu_seconds()
        self.thread = threading.Thread(target=self._sample)
        self.thread.start()
        return self

    def _sample(self):
        while not self.done.wait(0.1):
            self.memory = max(self.memory, self.process.memory_mb())

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()
        self.cpu += self.process.cpu_seconds()
