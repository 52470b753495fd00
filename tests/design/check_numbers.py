"""Holds a numbered design document and the tests together.

    check_numbers.py DOCUMENT TESTS

A row `| BC-011 | what holds | unit/mount/path_test.cpp |` says which tests hold it, as files under TESTS with commas
between them, or `later`. Each of them must name the number; whatever number a test names must be in the document, and
not as `later`.
"""
import pathlib
import re
import sys

ROW = re.compile(r"^\| ([A-Z]{2}-\d{3}) \| (.+) \| ([^|]+) \|$")
NUMBER = re.compile(r"\b(?:BC|SP)-\d{3}\b")


def rows_of(document):
    for line in document.read_text(encoding="utf-8").splitlines():
        if found := ROW.match(line):
            yield found[1], found[3].strip()


def numbers_by_test(tests):
    named = {}
    for file in sorted(tests.rglob("*")):
        if file.suffix in (".cpp", ".py", ".lua", ".mjs", ".sh") and file.resolve() != pathlib.Path(__file__).resolve():
            for number in NUMBER.findall(file.read_text(encoding="utf-8", errors="replace")):
                named.setdefault(number, set()).add(file.relative_to(tests).as_posix())
    return named


def problems(rows, named):
    seen = {}
    for number, column in rows:
        if number in seen:
            yield f"{number} stands in the document twice"
        seen[number] = column
        if column == "later":
            if number in named:
                yield f"{number} is marked later, but {', '.join(sorted(named[number]))} names it"
            continue
        for test in (name.strip() for name in column.split(",")):
            if test not in named.get(number, ()):
                yield f"{number} is said to be held by {test}, which does not name it"
    for number in sorted(named.keys() - seen.keys()):
        yield f"{number} is named by {', '.join(sorted(named[number]))}, but is not in the document"
    if not seen:
        yield "the document has no numbered rows"


def self_test():
    named = {"BC-001": {"a.py"}, "BC-002": {"a.py"}, "BC-009": {"a.py"}}
    rows = [("BC-001", "a.py"), ("BC-001", "a.py"), ("BC-002", "later"), ("BC-003", "b.py"), ("BC-004", "later")]
    assert len(list(problems(rows, named))) == 4, list(problems(rows, named))
    assert not list(problems([("BC-001", "a.py"), ("BC-004", "later")], {"BC-001": {"a.py"}}))
    assert list(problems([], {}))


def main(document, tests):
    self_test()
    rows = list(rows_of(pathlib.Path(document)))
    found = list(problems(rows, numbers_by_test(pathlib.Path(tests))))
    for problem in found:
        print(f"{document}: {problem}", file=sys.stderr)
    held = sum(column != "later" for _, column in rows)
    print(f"{len(rows)} numbers, {held} held by tests, {len(rows) - held} later")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
