"""Runs Scout's own code over a relay and over files: what it takes from them is what it takes from the catalogue."""

import contextlib
import logging
import pathlib
import re
import subprocess
import sys
import tempfile

import mongomock
from scout.adapter import MongoAdapter
from scout.load.panel import load_panel
from scout.load.panelapp import get_panels_map
from scout.parse.panelapp import parse_panelapp_panel
from scout.server.extensions import panelapp_extension

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = [sys.argv[1], str(ROOT / "bin/gene-panel-notifier.js")]
# Scout warns of each mode of inheritance that it has no model for.
logging.disable(logging.WARNING)


@contextlib.contextmanager
def serving(pattern, *parameters):
    """A command that serves, and what it says of its address."""
    process = subprocess.Popen(
        [*PROGRAM, *parameters], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        for line in process.stdout:
            if found := re.search(pattern, line):
                yield found[1]
                break
        else:
            raise RuntimeError(f"{parameters[0]} did not start")
    finally:
        process.terminate()
        process.wait()


def run(*parameters):
    subprocess.run([*PROGRAM, *parameters], check=True, capture_output=True)


def read(base, signed_off=False):
    """The panels as Scout reads them; its address alone is another one."""
    panelapp_extension.API_PANELS_URL = f"{base}panels/"
    client = panelapp_extension.PanelAppClient()
    ids = client.get_panel_ids(signed_off=signed_off)
    return {panel_id: client.get_panel(panel_id) for panel_id in sorted(ids)}


def parsed(panels, genes):
    """What Scout makes of them, at each level; the order of genes says nothing."""
    made = {}
    for level in ("green", "amber", "red"):
        for panel_id, panel in panels.items():
            one = parse_panelapp_panel(genes, panel, "cust000", level)
            one["genes"].sort(key=repr)
            made[panel_id, level] = one
    return made


def numbers(panels):
    return {
        int(gene["gene_data"]["hgnc_id"].split(":")[1]): gene["gene_data"]["gene_symbol"]
        for panel in panels.values()
        for gene in panel["genes"]
    }


def check_panel_files(folder, state, panels, wanted):
    """Loads each panel file into a database, as `scout load panel` does."""
    adapter = MongoAdapter(mongomock.MongoClient()["scout"])
    adapter.institute_collection.insert_one({"_id": "cust000", "internal_id": "cust000", "display_name": "x"})
    for number, symbol in numbers(panels).items():
        adapter.hgnc_collection.insert_one(
            {"hgnc_id": number, "hgnc_symbol": symbol, "aliases": [symbol], "build": "37"}
        )
    for panel_id in panels:
        file = folder / f"{panel_id}.tsv"
        run("state", "--state", state, "--panel", str(panel_id), "--format", "scout", "--output", str(file))
        load_panel(str(file), adapter, institute="cust000")
        loaded = adapter.panel_collection.find_one({"panel_name": f"panel-{panel_id}"})
        models = {}
        for gene in wanted[panel_id, "green"]["genes"]:
            models.setdefault(gene["hgnc_id"], set()).update(gene["inheritance_models"])
        seen = {gene["hgnc_id"]: set(gene.get("inheritance_models") or []) for gene in loaded["genes"]}
        assert seen == models, (panel_id, seen, models)
        assert loaded["version"] == wanted[panel_id, "green"]["version"], panel_id


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    state = str(folder / "state")
    sandbox = ("sandbox", "--port", "0", "--history", "300", "--act-every", "0", "--ties", "fixed")
    with serving(r"CATALOGUE_URL=(\S+)", *sandbox) as catalogue:
        place = ("--catalogue", catalogue, "--name", "uk", "--state", state)
        run("poll", *place, "--from", "2000-01-01", "--output", str(folder / "events"))
        panels, signed_off = read(catalogue), read(catalogue, signed_off=True)
        genes = set(numbers(panels))
        wanted = parsed(panels, genes)
        with serving(r"Catalogue uk: (\S+)", "relay", "--state", state, "--port", "0") as relay:
            assert parsed(read(relay), genes) == wanted
            again = read(relay, signed_off=True)
            assert parsed(again, genes) == parsed(signed_off, genes)
        file = folder / "panelapp_panels.jsonl"
        run("state", "--state", state, "--all", "--format", "scout-jsonl", "--output", str(file))
        assert parsed(get_panels_map(file), genes) == wanted
        check_panel_files(folder, state, panels, wanted)
    count = sum(len(panel["genes"]) for panel in wanted.values())
    assert len(panels) > 5 and len(signed_off) > 1 and count > 100, (len(panels), len(signed_off), count)
    print(f"Scout: {len(panels)} panels, {count} genes at three levels: relay and files as the catalogue")
