"""Every fenced block of README.md and docs/ does what it says, on the interpreter under test."""

import os
import sys
from pathlib import Path

import blocks
import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture
def folder(tmp_path):
    """A folder that looks like the checkout: README commands run in it without writing to it."""
    for entry in ROOT.iterdir():
        if entry.name not in (".git", ".build"):
            (tmp_path / entry.name).symlink_to(entry)
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_document(document, folder):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    ran = blocks.run_document(document, sys.executable, folder, {**os.environ, "PATH": path})
    if document.name == "README.md":
        assert ran > 0


def test_parse_finds_blocks_and_their_lines():
    text = "a\n```python app.py\nx = 1\n```\n\n  ```console\n  $ true\n  ```\n"
    found = blocks.parse(text)
    assert [(block.language, block.argument, block.text, block.line) for block in found] == [
        ("python", "app.py", "x = 1\n", 2),
        ("console", "", "$ true\n", 6),
    ]


def test_unclosed_block_is_an_error():
    with pytest.raises(ValueError, match="line 1"):
        blocks.parse("```python\n")


def test_a_wrong_document_fails(tmp_path):
    wrong = {
        "output.md": "```console\n$ echo yes\nno\n```\n",
        "status.md": "```bash\nfalse\n```\n",
        "python.md": "```python\nassert 1 == 2\n```\n",
    }
    for name, text in wrong.items():
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(AssertionError):
            blocks.run_document(path, sys.executable, tmp_path, dict(os.environ))


def test_ellipsis_stands_for_anything():
    assert blocks.matches("took ... ms\n", "took 12 ms\n")
    assert not blocks.matches("took ... ms\n", "took 12 s\n")
