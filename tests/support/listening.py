"""A server as a child process, for tests that start programs which are not the integration harness's."""
import os
import re
import signal
import subprocess
import time


class Listening:
    """Started in a process group of its own; its output says where it listens."""

    def __init__(self, command, log, **options):
        self.log = log
        with open(log, "wb") as out:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                            start_new_session=True, **options)
        self.port = self._port()

    def _port(self):
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            if found := re.search(r"listening on (?:http://)?127\.0\.0\.1:(\d+)", self.said()):
                return found[1]
            time.sleep(0.02)
        self.stop()
        raise AssertionError("not listening: " + self.said())

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def stop(self):
        """Ends it the way operators do; its exit status."""
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        return self.process.wait(60)
