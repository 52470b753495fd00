"""Time in the tests: what is waited for is bounded, and bounds stretch under sanitizers."""
import os
import threading
import time

SLOW = float(os.environ.get("WM_TEST_SLOW", "1"))


def scaled(seconds):
    """A bound for something that should happen soon."""
    return seconds * SLOW


def span(seconds):
    """The same, as a duration of the configuration."""
    return f"{int(seconds * SLOW * 1000)}ms"


def poll(condition, seconds=5.0):
    """What `condition()` gives, once it is true or when the time is over."""
    end = time.monotonic() + scaled(seconds)
    while not (value := condition()) and time.monotonic() <= end:
        time.sleep(0.005)
    return value


class Together:
    """Calls that run side by side; `join` raises what any of them raised."""

    def __init__(self, *calls):
        self.threads, self.errors = [], []
        for call in calls:
            self.start(call)

    def start(self, call):
        def guarded():
            try:
                call()
            except BaseException as error:  # raised again in join
                self.errors.append(error)
        self.threads.append(threading.Thread(target=guarded))
        self.threads[-1].start()
        return self

    def join(self):
        for thread in self.threads:
            thread.join()
        if self.errors:
            raise self.errors[0]


def eventually(condition, what, seconds=5.0):
    if not (value := poll(condition, seconds)):
        raise AssertionError(f"{what}: not within {scaled(seconds):.1f} s")
    return value
