"""Six callers behind a running request, two of them with priority, through config/single-permit.ini: SP-018

    priority.py --root SOURCE --build BUILD

Shows who runs when, live, and fails if the order, the one permit or the pause behind each success is not as promised.
"""
import argparse
import http.client
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import time

CALLERS = [("batch-job-a", ""), ("batch-job-b", ""), ("paying-user", "/prio"), ("batch-job-c", ""),
           ("support-req", "/prio"), ("batch-job-d", "")]
EXPECTED = ["in-flight", "paying-user", "support-req", "batch-job-a", "batch-job-b", "batch-job-c", "batch-job-d"]
WORK, SETTLE = 0.25, 0.7  # seconds: of the upstream on a request; of the configuration behind each
APART = 0.05  # between two arrivals


class Scene:
    def __init__(self):
        self.began = time.monotonic()
        self.lock = threading.Lock()
        self.all_queued = threading.Event()
        self.in_flight = self.most_in_flight = 0
        self.runs, self.problems = [], []  # runs: name, path, from, to

    def show(self, name, prefix, what):
        with self.lock:
            print(f"  t+{time.monotonic() - self.began:.2f}s  {'HIGH' if prefix else 'normal':6}  {name:11}  {what}", flush=True)

    def need(self, condition, text):
        if not condition:
            self.problems.append(text)


def upstream(scene):
    """A provider that works on one request for a while; the first runs until all others wait."""
    class Provider(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            name = self.headers["X-Caller"]
            with scene.lock:
                scene.in_flight += 1
                scene.most_in_flight = max(scene.most_in_flight, scene.in_flight)
            began = time.monotonic()
            first = name == "in-flight"
            scene.show(name, dict(CALLERS).get(name), "-> running" + (" (arrived first)" if first else ""))
            if first:
                scene.all_queued.wait(60)
            time.sleep(WORK)
            with scene.lock:
                scene.in_flight -= 1
                scene.runs.append((name, self.path, began, time.monotonic()))
            answer = json.dumps({"for": name}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def configuration(root, port):
    """The shipped file, with this upstream and a port that the system chooses."""
    text = (root / "config" / "single-permit.ini").read_text(encoding="utf-8")
    for line, other in (("listen = 127.0.0.1:18790", "listen = 127.0.0.1:0"),
                        ("upstream = https://api.example.com", f"upstream = http://127.0.0.1:{port}")):
        assert text.count(line + "\n") == 1, f"config/single-permit.ini: expected one line '{line}'"
        text = text.replace(line, other)
    return text


def call(scene, port, name, prefix):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("POST", prefix + "/v1/chat/completions", b"{}", {"X-Caller": name})
    response = connection.getresponse()
    body = response.read()
    scene.need(response.status == 200 and json.loads(body) == {"for": name}, f"{name} got {response.status} {body!r}")


def waiting(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/healthz")
    health = json.loads(connection.getresponse().read())
    assert health["ok"] is True, health
    return health["waiting"]


def until(condition, what):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"demo-priority: {what}: not within 60 s")
        time.sleep(0.01)


def play(scene, port):
    threads = []
    def start(name, prefix):
        threads.append(threading.Thread(target=call, args=(scene, port, name, prefix)))
        threads[-1].start()

    scene.began = time.monotonic()
    start("in-flight", "")
    until(lambda: scene.in_flight == 1, "a running request")
    for place, (name, prefix) in enumerate(CALLERS, 1):
        start(name, prefix)
        until(lambda place=place: waiting(port) == place, f"{place} waiting callers")
        scene.show(name, prefix, "queued")
        time.sleep(APART)
    scene.all_queued.set()
    for thread in threads:
        thread.join()


def judge(scene):
    order = [run[0] for run in scene.runs]
    scene.need(order == EXPECTED, f"expected the order {', '.join(EXPECTED)}; it was {', '.join(order)}")
    scene.need(scene.most_in_flight == 1, f"expected one request upstream at a time, found {scene.most_in_flight}")
    scene.need({run[1] for run in scene.runs} == {"/v1/chat/completions"}, "expected no /prio upstream")
    for (_, _, _, ended), (name, _, began, _) in zip(scene.runs, scene.runs[1:]):
        scene.need(began - ended >= SETTLE - 0.05, f"{name} ran {began - ended:.2f} s after its predecessor, expected {SETTLE}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    sys.path.insert(0, str(options.root / "tests" / "support"))
    from listening import Listening

    scene = Scene()
    provider = upstream(scene)
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "single-permit.ini")
        with open(config, "w", encoding="utf-8") as file:
            file.write(configuration(options.root, provider.server_port))
        gateway = Listening([options.build / "bin" / "watermaster", "serve", "--config", config, "--plugins",
                             options.build / "plugins", "--policies", options.root / "policies"],
                            os.path.join(folder, "log"))
        try:
            play(scene, int(gateway.port))
        finally:
            scene.all_queued.set()
            scene.need(gateway.stop() == 0, "the gateway ended badly:\n" + gateway.said())
    provider.shutdown()
    judge(scene)
    for problem in scene.problems:
        print("demo-priority: " + problem, file=sys.stderr)
    if not scene.problems:
        print("Both with priority went ahead of all who waited; neither interrupted the request that was running.")
    return 1 if scene.problems else 0


if __name__ == "__main__":
    sys.exit(main())
