"""How the page comes into the package."""

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import hatch_build as hook
import pytest

ROOT = Path(__file__).parents[2]


def test_the_page_is_built_from_what_is_there_now():
    assert hook.has_mark(hook.BUILT, hook.sources()), "stale: make page"


def test_every_change_of_page_or_sentences_builds_it_again():
    named = {path.relative_to(ROOT).as_posix() for path in hook.sources()}
    assert {"web/index.html", "web/package-lock.json", "web/src/main.ts"} <= named
    assert "src/hastilude/messages/ja.json" in named
    assert "src/hastilude/games/tornei/messages.ja.json" in named
    assert not [name for name in named if "node_modules" in name or "paraglide/" in name]


def test_the_lock_names_no_registry():
    lines = (ROOT / "web" / "package-lock.json").read_text("utf-8").splitlines()
    assert any('"integrity"' in line for line in lines)
    assert not [line for line in lines if '"resolved"' in line]


def test_compressed_files_are_the_files():
    """Something that still changes a file after it was compressed would go unnoticed."""
    scripts = sorted((hook.BUILT / "assets").glob("*.js"))
    assert scripts
    for path in [hook.BUILT / "index.html", *scripts]:
        assert gzip.decompress(Path(f"{path}.gz").read_bytes()) == path.read_bytes(), path
        assert Path(f"{path}.br").exists()


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packed")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_a_wheel_has_the_page(packed):
    (wheel,) = packed.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "hastilude/web/index.html" in names
    assert [name for name in names if name.startswith("hastilude/web/assets/")]


def test_a_source_distribution_can_build_the_page(packed):
    (sdist,) = packed.glob("*.tar.gz")
    with tarfile.open(sdist) as content:
        names = {name.split("/", 1)[1] for name in content.getnames()}
    assert {"hatch_build.py", "web/package-lock.json", "web/.npmrc", "web/src/main.ts"} <= names
    assert not [name for name in names if "node_modules" in name or "hastilude/web/" in name]


def test_without_a_registry_one_sentence_says_what_to_do(tmp_path):
    shutil.copytree(ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(ROOT / "src/hastilude/messages", tmp_path / "src/hastilude/messages")
    shutil.copy(ROOT / "hatch_build.py", tmp_path)
    npm = {"registry": "http://127.0.0.1:9", "fetch_retries": "0", "cache": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "hatch_build.py"],
        cwd=tmp_path,
        env={**os.environ, **{f"npm_config_{name}": value for name, value in npm.items()}},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == hook.OUT_OF_REACH
