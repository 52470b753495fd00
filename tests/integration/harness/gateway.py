"""The real binary as a child process."""
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading

from .client import Connection, exchange
from .exposition import Exposition
from .support import eventually, scaled

BINARY = os.environ.get("WATERMASTER_BIN", "")
PLUGINS = os.environ.get("WATERMASTER_PLUGINS", "")
POLICIES = os.environ.get("WATERMASTER_POLICIES", "")
REPORTS = re.compile(r"(Address|Leak|Thread|UndefinedBehavior)Sanitizer|runtime error:")


def require_environment():
    for name in ("WATERMASTER_BIN", "WATERMASTER_PLUGINS", "WATERMASTER_POLICIES"):
        if not os.environ.get(name):
            raise RuntimeError(f"{name} is not set; ctest sets it, by hand see tests/README.md")


def run_command(command, text, env=None, mode=0o600, seconds=10.0, policies=POLICIES, arguments=()):
    """`watermaster COMMAND` on a configuration, to its end: (exit status, output and errors, file)."""
    require_environment()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "watermaster.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        done = subprocess.run([BINARY, command, *arguments, "--config", path, "--plugins", PLUGINS, "--policies", policies],
                              env={**os.environ, **(env or {})}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, timeout=scaled(seconds), check=False)
        return done.returncode, done.stdout, path


class Gateway:
    def __init__(self, config, descriptors=None, plugins=PLUGINS, policies=POLICIES):
        require_environment()
        self.pools = {name: iter(models) for name, models in config.pools.items()}
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "watermaster.ini")
        self.write(config.text())
        def limit():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
        self.process = subprocess.Popen(
            [BINARY, "serve", "--config", self.path, "--plugins", plugins, "--policies", policies],
            env={**os.environ, **config.env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, preexec_fn=limit)
        self.port, self.admin_port, self.metrics_port, self.out, self.errors = None, None, None, [], []
        self.ready = threading.Event()
        self.readers = [threading.Thread(target=self._read, args=(pipe, lines), daemon=True) for pipe, lines in
                        ((self.process.stdout, self.out), (self.process.stderr, self.errors))]
        for reader in self.readers:
            reader.start()
        self.ready.wait(scaled(15))
        if self.port is None:
            self.process.kill()
            self.process.wait()
            self.close()
            raise AssertionError("the gateway did not start:\n" + "".join(self.errors) + "\n" + config.text())

    def _read(self, pipe, lines):
        for line in pipe:
            lines.append(line)
            if self.port is None and (found := re.search(r"listening on https?://127\.0\.0\.1:(\d+)", line)):
                if admin := re.search(r"admin on http://127\.0\.0\.1:(\d+)", line):
                    self.admin_port = int(admin[1])
                if metrics := re.search(r"metrics on http://127\.0\.0\.1:(\d+)", line):
                    self.metrics_port = int(metrics[1])
                self.port = int(found[1])
                self.ready.set()
        self.ready.set()

    def write(self, text):
        """The configuration as it is on disk from now on."""
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path, 0o600)

    def generation(self):
        """The latest that the log says is in use."""
        return max([1] + [int(n) for n in re.findall(r"generation (\d+) is in use", "".join(list(self.errors)))])

    def said(self, action, word="reload: "):
        """What the log says, in lines with `word`, from `action` to the end of the reload it causes."""
        before = len(self.errors)
        action()
        def news():
            return "".join(line for line in list(self.errors)[before:] if word in line)
        eventually(lambda: re.search(r"generation \d+ (is in use|goes on)\n", news()), "the end of a reload", 10)
        return news()

    def reload(self, text=None):
        """SIGHUP, with another configuration if one is given: what the log says of it."""
        if text is not None:
            self.write(text)
        return self.said(lambda: self.process.send_signal(signal.SIGHUP))

    def take(self, pool):
        """A model of the pool that no test has used."""
        model = next(self.pools[pool], None)
        assert model, f"the pool {pool} is used up; configure more of its models"
        return model

    def connect(self, **options):
        return Connection(self.port, **options)

    def get(self, path, headers=(), **options):
        return exchange(self.port, "GET", path, None, headers, **options)

    def post(self, path, body, headers=(), **options):
        return exchange(self.port, "POST", path, body, headers, **options)

    def ask(self, protocol, model, stream=False, headers=(), **members):
        return self.post(protocol.path, protocol.body(model, stream, **members), headers)

    def waiting(self):
        """How many requests wait at gates."""
        return self.get("/healthz").json()["waiting"]

    def wait_waiting(self, count):
        eventually(lambda: self.waiting() == count, f"{count} requests waiting at the gates")

    def metrics(self):
        """What a scrape says, once it has passed every rule of the format."""
        response = exchange(self.metrics_port, "GET", "/metrics")
        assert response.status == 200, response
        return Exposition(response.body)

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def alive(self):
        return self.process.poll() is None

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def stop(self, seconds=20.0):
        """Ends it the way operators do; a crash, a hang or a sanitizer's report is a failure."""
        if self.alive():
            self.terminate()
        try:
            status = self.process.wait(scaled(seconds))
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = f"none, killed after {scaled(seconds):.0f} s"
            self.process.wait()
        self.close()
        text = "".join(self.errors)
        if status != 0 or REPORTS.search(text):
            raise AssertionError(f"the gateway ended badly: exit status {status}\n{text[-20000:]}")

    def close(self):
        for reader in self.readers:
            reader.join(scaled(5))
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()
