"""Runs the program of docs/sandbox.md that gets a token by Microsoft's library, against the sandbox over TLS."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
page = (ROOT / "docs/sandbox.md").read_text(encoding="utf-8")
[program] = [each for each in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "import msal" in each]

sandbox = subprocess.Popen(
    [
        sys.argv[1],
        str(ROOT / "bin/gene-panel-notifier.js"),
        *("sandbox", "--family", "--tls", "--secret-in-body", "--port", "0", "--history", "20"),
    ],
    stdout=subprocess.PIPE,
    text=True,
)
try:
    for line in sandbox.stdout:
        name, _, value = line.strip().partition("=")
        os.environ[name.lstrip("# ")] = value.strip("'")
        if name == "NODE_EXTRA_CA_CERTS":
            break
    os.environ["REQUESTS_CA_BUNDLE"] = os.environ["NODE_EXTRA_CA_CERTS"]
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    stated = re.search(r"it prints `(.*?)`", page).group(1)
    is_right = ran.stdout.strip() == stated
    if not is_right:
        print(f"  failed  the program prints {stated}: {ran.stdout}{ran.stderr}", file=sys.stderr)
finally:
    sandbox.terminate()
    sandbox.wait()
print(f"{int(is_right)} passed, {int(not is_right)} failed")
sys.exit(0 if is_right else 1)
