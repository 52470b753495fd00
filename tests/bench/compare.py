#!/usr/bin/env python3
"""nginx and the gateway before one mock provider, turn by turn; prints a Markdown table of medians. See scripts/bench."""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import tempfile
import time

import mounts
import proxies
import service
import translation
from processes import Watch

STREAM = "mock-stream-50-100"  # fifty chunks in five seconds: all streams of a round are open at once
WAITING = "mock-slow-5000"
MODELS = ("mock-ok", STREAM, WAITING)
POST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "post.lua")


def wait_until_it_answers(port):
    deadline = time.monotonic() + 10
    while True:
        try:
            with proxies.socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            if time.monotonic() > deadline:
                raise SystemExit(f"nothing answers on port {port}")
            time.sleep(0.05)


def json_round(process, seconds, path="/v1/chat/completions"):
    with Watch(process) as watch:
        out = subprocess.run(["wrk", "-t1", "-c64", f"-d{seconds}s", "-s", POST,
                              f"http://127.0.0.1:{process.port}{path}"],
                             check=True, capture_output=True, text=True).stdout
    requests = int(re.search(r"(\d+) requests in", out).group(1))
    failed = sum(map(int, re.findall(r"(?:Non-2xx or 3xx responses|connect|read|write|timeout):? (\d+)", out)))
    return {"rate": float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)),
            "cpu": watch.cpu / max(requests, 1) * 1e6, "errors": failed}


def stream_round(process, build, streams, model=STREAM):
    with Watch(process) as watch:
        out = subprocess.run([f"{build}/bin/sse_load", "--port", str(process.port), "--model", model, "--streams",
                              str(streams), "--seconds", "90"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {**json.loads(out), "memory": watch.memory, "cpu": watch.cpu}


class Rounds:
    """One measurement repeated for each proxy in turn, so that a busy moment of the machine meets both."""

    def __init__(self, servers, count, measure):
        self.results = {name: [] for name in servers}
        for turn in range(count):
            for name in sorted(servers, reverse=turn % 2 == 1):
                self.results[name].append(measure(servers[name]))
                time.sleep(0.5)

    def median(self, name, key):
        return statistics.median(result[key] for result in self.results[name])

    def worst(self, name, key):
        return max(result[key] for result in self.results[name])


def row(label, nginx, gateway, form="{:.1f}", ratio=True):
    share = f"{gateway / nginx:.2f}" if ratio and nginx else "–"
    print(f"| {label} | {form.format(nginx)} | {form.format(gateway)} | {share} |", flush=True)


def json_rows(rounds):
    def of(key):
        return rounds.median("nginx", key), rounds.median("gateway", key)
    row("JSON requests a second, 64 connections", *of("rate"), "{:.0f}")
    row("CPU µs a JSON request", *of("cpu"))
    row("failed JSON requests", rounds.worst("nginx", "errors"), rounds.worst("gateway", "errors"), "{:.0f}", False)


def stream_rows(rounds, streams):
    def of(key):
        return rounds.median("nginx", key), rounds.median("gateway", key)
    row(f"{streams} streams: memory MB", *of("memory"))
    row(f"{streams} streams: CPU s", *of("cpu"), "{:.2f}")
    row(f"{streams} streams: first byte, median ms", *of("first_p50"), "{:.0f}")
    row(f"{streams} streams: first byte, 99 % ms", *of("first_p99"), "{:.0f}")
    row(f"{streams} streams: failed", rounds.worst("nginx", "errors"), rounds.worst("gateway", "errors"), "{:.0f}", False)


def machine():
    with open("/proc/cpuinfo") as info:
        name = re.search(r"model name\s*: (.*)", info.read())
    with open("/proc/meminfo") as info:
        memory = int(re.search(r"MemTotal:\s+(\d+)", info.read()).group(1)) // (1 << 20)
    with open("/etc/os-release") as info:
        system = re.search(r'PRETTY_NAME="(.*)"', info.read()).group(1)
    return f"{os.cpu_count()} × {name.group(1) if name else 'unknown processor'}, {memory} GiB, {system}"


def policies(root, build):
    """What a decision costs, over the cases of each policy's table."""
    out = subprocess.run([f"{build}/bin/watermaster", "policy", "bench", "--policies", f"{root}/policies"], check=True,
                         capture_output=True, text=True).stdout
    print("\n" + "".join(f"    {line}\n" for line in out.splitlines()))


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--root", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=8, help="of each round of JSON requests")
    parser.add_argument("--streams", type=int, default=4000, help="at once; then twice as many for errors")
    return parser.parse_args()


def main():
    options = arguments()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files < 4 * options.streams + 500:
        raise SystemExit(f"{options.streams * 2} streams need {4 * options.streams + 500} open files in a proxy, "
                         f"the limit is {files}: raise it (ulimit -n) or ask for fewer with --streams")
    started = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            mock = proxies.start_mock(options.build, folder)
            started.append(mock)

            def start():
                return proxies.start_gateway(options.root, options.build, folder, mock, MODELS, STREAM)

            servers = {"nginx": proxies.start_nginx(folder, mock, files)}
            started.append(servers["nginx"])
            servers["gateway"] = start()
            started.append(servers["gateway"])
            for server in servers.values():
                wait_until_it_answers(server.port)
            measure(options, servers)
            service.print_figures(servers["gateway"], servers["nginx"], start, options.seconds, options.rounds)
            translation.print_figures(
                options.build, start,
                lambda process, model: stream_round(process, options.build, options.streams, model)["memory"],
                STREAM, "translated", options.streams)
            mounts_alone = mounts.start(options.root, options.build, folder, mock)
            started.append(mounts_alone)
            mounts.print_figures(mounts_alone, lambda path: json_round(mounts_alone, options.seconds, path), options.rounds,
                                 2 * options.streams)
            policies(options.root, options.build)
        finally:
            for process in reversed(started):
                process.stop()


def measure(options, servers):
    command = " ".join(["scripts/bench", *(f"--{name} {getattr(options, name)}" for name in ("rounds", "seconds", "streams"))])
    print(f"`{command}` on {machine()}; medians of {options.rounds} alternating rounds.\n")
    print("| | nginx, 2 workers, no parsing | Watermaster, 2 loops | ratio |\n|---|---|---|---|", flush=True)
    json_rows(Rounds(servers, options.rounds, lambda server: json_round(server, options.seconds)))
    streams = Rounds(servers, options.rounds, lambda server: stream_round(server, options.build, options.streams))
    stream_rows(streams, options.streams)
    # Before twice as many streams, whose memory a process may keep.
    waiting = Rounds(servers, 1, lambda server: stream_round(server, options.build, options.streams, WAITING))
    row(f"{options.streams} requests that wait: memory MB", waiting.median("nginx", "memory"), waiting.median("gateway", "memory"))
    twice = Rounds(servers, 1, lambda server: stream_round(server, options.build, 2 * options.streams))
    row(f"{2 * options.streams} streams: failed", twice.worst("nginx", "errors"), twice.worst("gateway", "errors"), "{:.0f}", False)


if __name__ == "__main__":
    main()
