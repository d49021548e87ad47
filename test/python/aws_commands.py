"""Checks every command of the AWS command line that a page shows: the operation and its options exist."""

import pathlib
import re
import subprocess
import sys

import botocore.session
from botocore import xform_name

ROOT = pathlib.Path(__file__).parents[2]
GENERAL = {"query", "output", "region", "profile", "no-cli-pager"}
# Operations of the command line itself, which no service has.
OWN = {("s3", "cp"), ("s3", "sync"), ("sso", "login")}
# Options that the command line calls otherwise than the service: its own `--endpoint-url` would be meant.
RENAMED = {("sns", "subscribe"): {"notification-endpoint": "endpoint"}}

session = botocore.session.get_session()
passed = 0
failed = 0


def wrong_with(service, operation, options):
    if (service, operation) in OWN:
        return None
    if service not in session.get_available_services():
        return "the service is unknown"
    model = session.get_service_model(service)
    names = {xform_name(name, "-"): name for name in model.operation_names}
    if operation not in names:
        return "the operation is unknown"
    shape = model.operation_model(names[operation]).input_shape
    known = {xform_name(name, "-") for name in (shape.members if shape else {})} | GENERAL
    options = [RENAMED.get((service, operation), {}).get(name, name) for name in options]
    unknown = [name for name in options if name not in known and name.removeprefix("no-") not in known]
    missing = [
        name
        for name in (shape.required_members if shape else [])
        if xform_name(name, "-") not in options
    ]
    return f"unknown {unknown}, missing {missing}" if unknown or missing else None


pages = subprocess.run(["git", "ls-files", "*.md"], check=True, capture_output=True, text=True, cwd=ROOT).stdout
for page in pages.split():
    text = (ROOT / page).read_text(encoding="utf-8")
    for _, block in re.findall(r"^( *)```\S*\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE):
        for line in re.sub(r"\\\n\s*", " ", block).splitlines():
            found = re.match(r"\s*aws ([a-z0-9-]+) ([a-z0-9-]+)(.*)", line)
            if not found:
                continue
            service, operation, rest = found.groups()
            wrong = wrong_with(service, operation, re.findall(r"(?<=\s)--([a-z][a-z-]*)", rest.split(" && ")[0]))
            if wrong is None:
                passed += 1
            else:
                failed += 1
                print(f"  failed  {page}: aws {service} {operation}: {wrong}")

if passed < 10:
    failed += 1
    print(f"  failed  only {passed} commands were found")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
