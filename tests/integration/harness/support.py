"""Time in the tests: what is waited for is bounded, and bounds stretch under sanitizers."""
import os
import time

SLOW = float(os.environ.get("WM_TEST_SLOW", "1"))


def scaled(seconds):
    """A bound for something that should happen soon."""
    return seconds * SLOW


def span(seconds):
    """The same, as a duration of the configuration."""
    return f"{int(seconds * SLOW * 1000)}ms"


def poll(condition, seconds=5.0):
    """Whether `condition()` becomes true in time."""
    end = time.monotonic() + scaled(seconds)
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def eventually(condition, what, seconds=5.0):
    if not poll(condition, seconds):
        raise AssertionError(f"{what}: not within {scaled(seconds):.1f} s")
