"""Reads the Prometheus text format as strictly as `promtool check metrics`: whatever breaks a rule is an error."""
import math
import re

SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)')
KINDS = ("counter", "gauge", "histogram")
SUFFIXES = {"counter": ("",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


class BadExposition(Exception):
    pass


def check(holds, what):
    if not holds:
        raise BadExposition(what)


def labels_of(text):
    labels, at = {}, 0
    while at < len(text):
        found = LABEL.match(text, at)
        check(found, f"no label at {text[at:]!r}")
        name, value = found[1], found[2]
        check(re.fullmatch(r'(?:[^\\]|\\[\\"n])*', value), f"an escape that does not exist in {value!r}")
        check(name not in labels and not name.startswith("__"), f"label {name} is given twice or reserved")
        labels[name] = re.sub(r'\\([\\"n])', lambda m: "\n" if m[1] == "n" else m[1], value)
        at = found.end()
    return labels


class Family:
    def __init__(self, name, kind):
        self.name, self.kind, self.samples = name, kind, {}
        check(kind in KINDS, f"{name}: unknown type {kind}")
        check((kind == "counter") == name.endswith("_total"), f"{name}: counters, and nothing else, end in _total")

    def add(self, name, labels, value):
        suffix = name[len(self.name):] if name.startswith(self.name) else None
        check(suffix in SUFFIXES[self.kind], f"{name} stands in the block of {self.name}")
        check(("le" in labels) == (suffix == "_bucket"), f"{name}: le belongs to buckets alone")
        check(self.kind == "gauge" or value >= 0, f"{name} is below 0")
        key = (suffix, tuple(sorted(labels.items())))
        check(key not in self.samples, f"{name}{labels} is given twice")
        self.samples[key] = value

    def check_whole(self):
        check(self.samples, f"{self.name} has no samples")
        if self.kind != "histogram":
            return
        buckets = {}
        for (suffix, labels), value in self.samples.items():
            if suffix == "_bucket":
                rest = dict(labels)
                le = rest.pop("le")
                buckets.setdefault(tuple(sorted(rest.items())), []).append((math.inf if le == "+Inf" else float(le), value))
        series = {labels for suffix, labels in self.samples if suffix in ("_sum", "_count")}
        check(series == buckets.keys(), f"{self.name}: series of buckets, sums and counts differ")
        for labels, counts in buckets.items():
            check(counts == sorted(counts) and len({le for le, _ in counts}) == len(counts),
                  f"{self.name}{dict(labels)}: buckets are not in order, or not cumulative")
            check(counts[-1][0] == math.inf, f"{self.name}{dict(labels)}: no bucket +Inf")
            check(counts[-1][1] == self.samples.get(("_count", labels)), f"{self.name}{dict(labels)}: +Inf is not the count")
            check(("_sum", labels) in self.samples, f"{self.name}{dict(labels)}: no sum")


class Exposition:
    """The families of a document by name; `value("x_total", provider="a")` is one sample."""

    def __init__(self, document):
        text = document.decode("utf-8")  # an error unless it is
        check(text.endswith("\n"), "the last line has no end")
        self.families, helped, open_family = {}, None, None
        for line in text.split("\n")[:-1]:
            if line.startswith("# HELP "):
                helped = line.split(" ")[2]
                check(line.split(" ", 3)[3:], f"{helped}: an empty help text")
                check(helped not in self.families, f"{helped}: a second block")
            elif line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                check(name == helped, f"{name}: TYPE without its HELP before it")
                open_family = self.families[name] = Family(name, kind)
            else:
                found = SAMPLE.fullmatch(line)
                check(found, f"no sample: {line!r}")
                check(open_family and open_family.name == helped, f"{found[1]} stands in no block")
                open_family.add(found[1], labels_of(found[2] or ""), float(found[3]))
        for family in self.families.values():
            family.check_whole()

    def series(self, name, suffix=""):
        """Each sample of a family: its labels, and its value."""
        family = self.families.get(name)
        return [(dict(labels), value) for (s, labels), value in family.samples.items() if s == suffix] if family else []

    def value(self, name, suffix="", **labels):
        """The sample with exactly these labels; None if there is none."""
        return next((value for found, value in self.series(name, suffix) if found == labels), None)
