"""The inputs of the cases, by id."""
import json
import os

with open(os.path.join(os.path.dirname(__file__), "cases.json"), encoding="utf-8") as file:
    CASES = {name: case["input"] for name, case in json.load(file).items()}
