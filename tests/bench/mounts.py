"""What limits cost a mount: CPU beside none, memory of those who wait, and how soon a permit is handed on."""
import json
import selectors
import socket
import statistics
import time
import urllib.request

import proxies

# Each under a prefix of its own: without limits; with both kinds, far from full; the same, with permits that are kept for a
# moment after each request; and one permit, for those who wait. AT_ONCE is of those that keep no permit.
MOUNT = """[mount "{name}"]
upstream = http://127.0.0.1:{mock}
prefix = /{name}
{keys}"""
FAR_FROM_FULL = "concurrency = 100000\nglobal_concurrency = 100000\n"
AT_ONCE = "release_cooldown = 0s\ncancel_cooldown = 0s\nfailure_hold = 0s\n"
MOUNTS = {"free": "limit = POST /nothing\n" + AT_ONCE, "limited": FAR_FROM_FULL + AT_ONCE, "cooled": FAR_FROM_FULL,
          "one": "concurrency = 1\nqueue_timeout = 0s\n" + AT_ONCE}
PATH = "/v1/chat/completions"
HELD_MS = 15000
MOST = {"limited": 1.05, "waiting": 8.0}


def start(root, build, folder, mock):
    text = proxies.SERVER.format(folder=folder, log="mounts") + "".join(
        MOUNT.format(name=name, mock=mock.port, keys=keys) for name, keys in MOUNTS.items())
    return proxies.serve(root, build, folder, "mounts.ini", text)


def path_of(mount):
    return f"/{mount}{PATH}"


def request(mount, model):
    body = json.dumps({"model": model, "messages": [{"role": "user", "content": "wait"}]})
    return (f"POST {path_of(mount)} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


def connect(process):
    sock = socket.create_connection(("127.0.0.1", process.port), 2 * HELD_MS / 1000)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def waiting(process):
    with urllib.request.urlopen(f"http://127.0.0.1:{process.port}/healthz", timeout=10) as answer:
        return json.load(answer)["waiting"]


def round_trip(process, times=500):
    """Milliseconds of a request that waits for nothing, one after the other."""
    with connect(process) as sock:
        spans = []
        for _ in range(times):
            begun = time.monotonic()
            sock.sendall(request("free", "mock-ok"))
            sock.recv(65536)
            spans.append(time.monotonic() - begun)
    return statistics.median(spans) * 1000


def park(process, count):
    """KiB that each of `count` requests costs while it waits, its connection included, and the milliseconds from one answer
    to the next when they are served one after the other."""
    empty = process.memory_mb()
    with connect(process) as holder, selectors.DefaultSelector() as sockets:
        holder.sendall(request("one", f"mock-slow-{HELD_MS}"))
        time.sleep(0.2)
        for _ in range(count):
            sock = connect(process)
            sock.sendall(request("one", "mock-ok"))
            sockets.register(sock, selectors.EVENT_READ)
        while waiting(process) < count:
            time.sleep(0.05)
        memory = process.memory_mb()
        holder.recv(65536)
        first = time.monotonic()
        while sockets.get_map():
            ready = sockets.select(30)  # all of them: what is listed once for each answer would be the most of the time
            for key, _ in ready:
                if not key.fileobj.recv(65536).startswith(b"HTTP/1.1 200"):
                    raise SystemExit("a request that waited was not served")
                sockets.unregister(key.fileobj)
                key.fileobj.close()
            if not ready:
                raise SystemExit("a request that waited was not served within 30 s")
        return (memory - empty) * 1024 / count, (time.monotonic() - first) * 1000 / count


def print_figures(process, json_round, rounds, count):
    """`json_round(path)` is one round of requests: its CPU a request, and how many failed."""
    results = {name: [] for name in ("free", "limited", "cooled")}
    json_round(path_of("free"))  # the first of all makes connections and touches memory for those that follow
    for turn in range(rounds):
        for name in sorted(results, reverse=turn % 2 == 1):
            results[name].append(json_round(path_of(name)))
    failed = sum(result["errors"] for one in results.values() for result in one)
    def beside_none(name):
        return statistics.median(mine["cpu"] / theirs["cpu"] for mine, theirs in zip(results[name], results["free"]))
    alone = round_trip(process)
    memory, apart = park(process, count)
    print("\n| mounts | | aim |\n|---|---|---|")
    print(f"| CPU µs a request, without limits | {statistics.median(r['cpu'] for r in results['free']):.1f} | |")
    print(f"| beside that, with limits that are not full | {beside_none('limited'):.3f} × | {MOST['limited']:.2f} × |")
    print(f"| the same, each permit kept for 200 ms more | {beside_none('cooled'):.3f} × | |")
    print(f"| failed | {failed:.0f} | 0 |")
    print(f"| each of {count} that wait, with its connection | {memory:.1f} KiB | {MOST['waiting']:.0f} KiB |")
    print(f"| from one answer to the next, one permit | {apart:.3f} ms | |")
    print(f"| a round trip without waiting, one client | {alone:.3f} ms | |", flush=True)
