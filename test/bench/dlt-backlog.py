"""Loads the pages of an activity log into files with dlt: dlt-backlog.py URL PAGES.

Prints one line of JSON: the time, the CPU time and the peak memory, without the time that Python takes to import dlt; and the CPU
time of the whole process.
"""

import json
import resource
import sys
import tempfile
import time

import dlt
import requests


@dlt.resource(name="activities")
def activities(url: str, pages: int):
    session = requests.Session()
    for page in range(pages, 0, -1):
        yield session.get(f"{url}/api/v1/activities/?page={page}").json()["results"]


started, cpu_before = time.monotonic(), time.process_time()
with tempfile.TemporaryDirectory() as folder:
    pipeline = dlt.pipeline(
        pipeline_name="race",
        pipelines_dir=folder,
        destination=dlt.destinations.filesystem(f"file://{folder}/files"),
        dataset_name="race",
    )
    pipeline.run(activities(sys.argv[1], int(sys.argv[2])), loader_file_format="jsonl")
    rows = pipeline.last_trace.last_normalize_info.row_counts["activities"]
print(
    json.dumps(
        {
            "milliseconds": 1000 * (time.monotonic() - started),
            "cpuMilliseconds": 1000 * (time.process_time() - cpu_before),
            "wholeCpuMilliseconds": 1000 * time.process_time(),
            "peakMegabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "rows": rows,
        }
    )
)
