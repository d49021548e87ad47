"""Checks the published schemas and examples, and the guide's consumer, with the Python libraries that subscribers use."""

import contextlib
import io
import json
import os
import pathlib
import re
import sys

from jsonschema import Draft202012Validator, FormatChecker

try:
    from cloudevents.v1.http import from_json
except ImportError:
    from cloudevents.http import from_json

ROOT = pathlib.Path(__file__).parents[2]
os.chdir(ROOT)
passed = 0
failed = 0


def check(behaviour, body):
    global passed, failed
    try:
        body()
        passed += 1
    except Exception as error:  # every failure is counted and shown
        failed += 1
        print(f"  failed  {behaviour}: {error!r}")


def read(path):
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def valid(schema, value):
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema, format_checker=FormatChecker()).validate(value)


def refused(schema, value):
    assert not Draft202012Validator(schema).is_valid(value), "it was accepted"


any_event = read("docs/schemas/event.json")
examples = sorted((ROOT / "docs/examples").glob("gene-panel.*.json"))
for path in examples:
    text = path.read_text(encoding="utf-8")
    event = json.loads(text)
    name = event["type"]
    check(f"{name} is valid by its schema", lambda: valid(any_event["$defs"][name], event))
    check(f"the data of {name} is valid", lambda: valid(any_event["$defs"][name]["properties"]["data"], event["data"]))
    check(f"{name} is valid as any event", lambda: valid(any_event, event))

    def as_cloud_event():
        read_event = from_json(text)
        assert read_event["id"] == event["id"] and read_event["type"] == name
        assert read_event.data == event["data"]

    check(f"{name} is a CloudEvent", as_cloud_event)

rating = read("docs/examples/gene-panel.entity.classified.v1.json")
rating["data"]["entity"] = None
check("a rating without its entity is refused", lambda: refused(any_event, rating))


def guide():
    page = (ROOT / "docs/guides/consumer-python.md").read_text(encoding="utf-8")
    program, trial = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[:2]
    assert len(program.strip().splitlines()) <= 20, "the program has more than 20 lines"
    names = {}
    exec(program, names)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(trial, names)
    assert printed.getvalue().strip().endswith(re.search(r"# (\{.*\})", trial).group(1)), printed.getvalue()
    batch = read("test/fixtures/consumer/sns-in-sqs.json")
    bad = {"itemIdentifier": batch["Records"][1]["messageId"]}
    assert names["handler"](batch, None) == {"batchItemFailures": [bad]}
    raw = {"Records": [{"messageId": "1", "body": examples[0].read_text(encoding="utf-8")}]}
    assert names["handler"](raw, None) == {"batchItemFailures": []}


check("the guide's consumer handles a recorded batch with one bad record", guide)


def each_type():
    types = {reference["$ref"].removeprefix("#/$defs/") for reference in any_event["oneOf"]}
    assert {path.stem for path in examples} == types, types


check("there is an example of each type", each_type)

print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
