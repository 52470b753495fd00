"""What an operator feels: the start, the memory of an idle gateway, large requests beside small ones, reloads."""
import contextlib
import os
import re
import signal
import statistics
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


def wrk(process, seconds, script="post.lua", connections=4):
    return ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", os.path.join(HERE, script),
            f"http://127.0.0.1:{process.port}/v1/chat/completions"]


def milliseconds(text, pattern):
    value, unit = re.search(pattern + r"\s+([\d.]+)(us|ms|s)", text).groups()
    return float(value) * UNITS[unit]


def latencies(process, seconds):
    """The 99th percentile and the worst of small requests over four connections, and how many failed."""
    out = subprocess.run(wrk(process, seconds), check=True, capture_output=True, text=True).stdout
    failed = sum(map(int, re.findall(r"(?:Non-2xx or 3xx responses|connect|read|write|timeout):? (\d+)", out)))
    return {"p99": milliseconds(out, r"99%"), "max": milliseconds(out, r"Latency\s+\S+\s+\S+"), "failed": failed}


@contextlib.contextmanager
def large_bodies(process, seconds):
    """Two clients that post two megabytes again and again."""
    load = subprocess.Popen(wrk(process, seconds, "post_large.lua", 2), stdout=subprocess.DEVNULL)
    try:
        time.sleep(0.3)
        yield
    finally:
        load.terminate()
        load.wait()


def beside_large_bodies(process, seconds, rounds):
    alone, beside = [], []
    for _ in range(rounds):
        alone.append(latencies(process, seconds)["p99"])
        with large_bodies(process, seconds + 2):
            beside.append(latencies(process, seconds)["p99"])
    return statistics.median(alone), statistics.median(beside)


def across_reloads(process, seconds):
    """Small requests while the gateway reloads twice a second, beside as many without."""
    alone = latencies(process, seconds)
    load = subprocess.Popen(wrk(process, seconds), stdout=subprocess.PIPE, text=True)
    reloads = 0
    while load.poll() is None:
        time.sleep(0.5)
        os.kill(process.child.pid, signal.SIGHUP)
        reloads += 1
    out = load.stdout.read()
    failed = sum(map(int, re.findall(r"(?:Non-2xx or 3xx responses|connect|read|write|timeout):? (\d+)", out)))
    return alone["max"], milliseconds(out, r"Latency\s+\S+\s+\S+"), failed, reloads


def cold_starts(start, times):
    """Seconds from the command to the line that says it listens, and the megabytes of the idle process after a second."""
    seconds, memory = [], []
    for _ in range(times):
        begun = time.monotonic()
        process = start()
        try:
            seconds.append(time.monotonic() - begun)
            time.sleep(1)
            memory.append(process.memory_mb())
        finally:
            process.stop()
    return statistics.median(seconds), statistics.median(memory)


def print_figures(process, peer, start, seconds, rounds):
    seconds_cold, idle = cold_starts(start, rounds)
    alone, beside = beside_large_bodies(process, seconds, rounds)
    peer_alone, peer_beside = beside_large_bodies(peer, seconds, rounds)
    worst, reloading, failed, reloads = across_reloads(process, seconds)
    print("\n| the gateway alone | |\n|---|---|")
    print(f"| start, to listening | {seconds_cold:.2f} s |")
    print(f"| memory, idle | {idle:.1f} MB |")
    print(f"| small requests, 99 %, alone | {alone:.2f} ms |")
    print(f"| small requests, 99 %, beside two clients posting 2 MB | {beside:.2f} ms ({beside / alone:.1f} ×) |")
    print(f"| the same of nginx | {peer_alone:.2f} ms, {peer_beside:.2f} ms ({peer_beside / peer_alone:.1f} ×) |")
    print(f"| small requests, the slowest, without a reload | {worst:.1f} ms |")
    print(f"| small requests, the slowest, across {reloads} reloads | {reloading:.1f} ms, {failed} failed |", flush=True)
