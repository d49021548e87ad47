"""Reports net changes of ratings from a state file in plain Python: report.py FILE SINCE.

SINCE is in microseconds. Prints one line of JSON: the CPU time of the process in milliseconds, and how many changes it found.
"""

import json
import sqlite3
import sys
import time

changes = {}
rows = sqlite3.connect(sys.argv[1]).execute(
    "SELECT head || '[]' || tail FROM event WHERE at >= ? ORDER BY at, id", (int(sys.argv[2]),)
)
for (body,) in rows:
    event = json.loads(body)
    data = event["data"]
    change = data["change"]
    if not data.get("entity") or "to" not in change:
        continue
    key = (data["catalogue"], data["panel"]["id"], data["entity"]["type"], data["entity"]["name"].lower())
    known = changes.setdefault(key, {"from": change.get("from"), "events": []})
    known.update(to=change["to"], panel=data["panel"]["name"], entity=data["entity"]["name"])
    known["events"].append(event["id"])
net = sorted(
    (each["panel"], each["entity"], each["from"], each["to"])
    for each in changes.values()
    if each["from"] != each["to"]
)
for each in net:
    print("\t".join(str(part) for part in each), file=sys.stderr)
print(json.dumps({"cpuMilliseconds": 1000 * time.process_time(), "changes": len(net)}))
