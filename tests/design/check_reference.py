"""host/REFERENCE.md names all that the gateway says and listens to, and nothing else."""
import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def tables():
    """The rows of each section's table, as lists of cells."""
    out = {}
    for section in re.split(r"^## ", text_of("host", "REFERENCE.md"), flags=re.M)[1:]:
        rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
        out[section.split("\n", 1)[0]] = rows
    return out


def names(rows):
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row[0])}


def main():
    documented = tables()
    code = "".join(text_of(path) for path in sorted(glob.glob("host/src/**/*.cpp", root_dir=ROOT, recursive=True)))
    headers = names(documented["Headers of a request"]) | names(documented["Headers of an answer"])
    log = text_of("host", "src", "records", "access_log.cpp")
    errors = re.findall(r'\{"(\w+)", (\d{3}), "\w+"\}', text_of("host", "src", "exchange", "refusal.cpp"))
    pages = set(re.findall(r'refusal\([^;"]*"([a-z_]+)"', text_of("host", "src", "admin", "answers.cpp")
                           + text_of("host", "src", "admin", "pages.cpp") + text_of("host", "src", "admin", "side_listener.cpp")))
    found = {
        "headers": ({name.lower() for name in headers},
                    {name.lower() for name in re.findall(r'"(x-(?:relay|middleman|watermaster)-[a-z-]*[a-z])"', code, re.I)}),
        "errors": ({(row[0].strip("`"), row[1]) for row in documented["Errors"]}, set(errors)),
        "errors of the admin and metrics listeners": ({"forbidden"}, pages - {name for name, _ in errors}),
        "members of the access log": (names(documented["The access log"]),
                                      set(re.findall(r'(?:key\(|text\(w, |number\(w, )"(\w+)"', log))),
        "metrics": (names(documented["Metrics"]), set(re.findall(r'"(watermaster_\w+)"', code))),
    }
    faults = 0
    for what, (here, there) in found.items():
        if not there:
            faults += 1
            print(f"{what}: none found in the code; expected this check to know where they are")
        for only, where in ((here - there, "not in the code"), (there - here, "not in host/REFERENCE.md")):
            for name in sorted(only):
                faults += 1
                print(f"{what}: {name} is {where}")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
