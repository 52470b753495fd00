"""What translating costs beside forwarding natively, with the aims: CPU of requests and events, memory of open streams."""
import json
import subprocess


def speeds(build):
    out = subprocess.run([f"{build}/bin/translate_speed", f"{build}/plugins"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def memory_mb(start, measure, model):
    """Of a gateway that has served nothing else."""
    process = start()
    try:
        return measure(process, model)
    finally:
        process.stop()


def print_figures(build, start, measure, native, translated, streams):
    """`measure(process, model)`: the memory that `streams` streams of a model take."""
    print("\n| translating | CPU µs, a 1 KB request and its answer (aim 60) | CPU µs an event (3) | MB/s, a 1 MB image (300) |")
    print("|---|---|---|---|")
    for pair in speeds(build):
        print(f"| {pair['client']} to {pair['upstream']} | {pair['request_us']:.1f} | {pair['event_us']:.2f} "
              f"| {pair['image_mb_s']:.0f} |", flush=True)
    plain, foreign = (memory_mb(start, measure, model) for model in (native, translated))
    print(f"\nA translated stream takes {(foreign - plain) * 1024 / streams:.1f} KiB more than a native one (aim 24): "
          f"{streams} take {plain:.1f} and {foreign:.1f} MB.", flush=True)
