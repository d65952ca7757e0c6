"""Finds the browser for the tests: the machine's own Chromium, headless if possible, because that
takes half the time.

`python -m tests.web.chromium` installs Debian's Chromium if possible. `make test` does so first, so
that the test processes do not all try.
"""

import os
import shutil
import subprocess

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PACKAGES = ("chromium-headless-shell", "fonts-noto-cjk")
MISSING = "NOTHING IN A BROWSER IS TESTED: there is no Chromium here, and it could not be installed"
# Nothing runs in the background, and containers work too.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


def find() -> str | None:
    return next((path for path in map(shutil.which, NAMES) if path), None)


def main() -> None:
    if not find() and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the tests of the page.", flush=True)
        for command in (("update",), ("install", "-y", "--no-install-recommends", *PACKAGES)):
            subprocess.run(["apt-get", "-qq", *command], stdout=subprocess.DEVNULL, check=False)
    if not find():
        print(f"{MISSING}.")


if __name__ == "__main__":
    main()
