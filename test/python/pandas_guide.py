"""Runs the notebook of docs/guides/pandas.md in Jupyter, then its cells and further programs, one after another, where its files are."""

import contextlib
import gzip
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import nbclient
import nbformat

ROOT = pathlib.Path(__file__).parents[2]
passed = 0
failed = 0


def check(behaviour, body):
    global passed, failed
    try:
        body()
        passed += 1
    except Exception as error:  # every failure is counted and shown
        failed += 1
        print(f"  failed  {behaviour}: {error!r}", file=sys.stderr)


def run(*parameters):
    """What the command line prints: the events of the saved pages."""
    program = [sys.argv[1], str(ROOT / "bin/gene-panel-notifier.js"), *parameters]
    return subprocess.run(program, check=True, capture_output=True).stdout


page = (ROOT / "docs/guides/pandas.md").read_text(encoding="utf-8")
programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
notebook = json.loads((ROOT / "docs/guides/pandas.ipynb").read_text(encoding="utf-8"))
cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
os.environ["MPLBACKEND"] = "agg"
saved = str(ROOT / "test/fixtures/catalogue/activities-page-001.json")

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("events.ndjson").write_bytes(run("classify", saved, "--format", "ndjson"))
    pathlib.Path("events.csv").write_bytes(run("classify", saved, "--format", "csv"))
    exported = pathlib.Path("export/dt=2026-11-22/part.ndjson.gz")
    exported.parent.mkdir(parents=True)
    # Files of earlier versions have blank lines.
    exported.write_bytes(gzip.compress(pathlib.Path("events.ndjson").read_bytes().replace(b"\n", b"\n\n", 3)))
    # One object an event, as the example audit log keeps them.
    for line in pathlib.Path("events.ndjson").read_text("utf-8").splitlines():
        event = json.loads(line)
        kept = pathlib.Path("audit", f"day={event['time'][:10]}", f"{event['id']}.json")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(line, encoding="utf-8")

    def in_jupyter():
        opened = nbformat.read(ROOT / "docs/guides/pandas.ipynb", as_version=4)
        nbclient.NotebookClient(opened, resources={"metadata": {"path": folder}}).execute()
        outputs = [output for cell in opened.cells for output in cell.get("outputs", [])]
        assert outputs and not [output for output in outputs if output.output_type == "error"]
        pathlib.Path("turned-green.png").unlink()

    check("the notebook runs in Jupyter, and draws its picture", in_jupyter)
    names = {}
    assert [program.strip() for program in programs[: len(cells)]] == cells and len(cells) == 4
    for number, program in enumerate([*cells, *programs[len(cells) :]], start=1):
        with contextlib.redirect_stdout(io.StringIO()):
            check(f"program {number} of the pandas guide runs", lambda: exec(program, names))

    def same_events():
        for other in ("kept", "exported"):
            assert set(names[other]["id"]) == set(names["events"]["id"])
        assert len(names["table"]) >= len(names["events"]) > 10

    check("all ways give the same events", same_events)

    def all_digits():
        exact = names["events"]["at"].dt.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        assert (exact == names["events"]["time"]).all()

    check("times keep their six digits", all_digits)

    def only_green():
        assert len(names["green"]) > 0 and (names["turned"]["data.change.to"] == "green").all()

    check("the ratings are found", only_green)

    def picture():
        drawn = pathlib.Path("turned-green.png").read_bytes()
        assert drawn.startswith(b"\x89PNG") and len(drawn) > 5_000
        if "--write" in sys.argv:
            (ROOT / "docs/images/turned-green.png").write_bytes(drawn)

    check("the notebook draws its picture", picture)

    def without_removed():
        rated = json.loads((ROOT / "docs/examples/gene-panel.entity.classified.v1.json").read_text("utf-8"))
        removed = json.loads((ROOT / "docs/examples/gene-panel.entity.removed.v1.json").read_text("utf-8"))
        removed["data"].update(panel=rated["data"]["panel"], entity=rated["data"]["entity"])
        other = {**rated, "id": "other", "data": {**rated["data"], "entity": {"type": "gene", "name": "OTHER"}}}
        events = [rated, other, removed]
        pathlib.Path("events.ndjson").write_text("".join(f"{json.dumps(event)}\n" for event in events), "utf-8")
        found = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for program in programs[:2]:
                exec(program, found)
        assert rated["time"] < removed["time"] and list(found["green"]["data.entity.name"]) == ["OTHER"]

    check("an entity that was removed is not green now", without_removed)
    os.chdir(ROOT)

check("the guide has its programs", lambda: None if len(programs) == 7 else sys.exit("programs are missing"))
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
