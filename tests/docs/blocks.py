"""Fenced blocks of Markdown files, and how each kind is run.

- `python`: all blocks of one file run in order in one process, as one program. A block whose info
  string names a file (```python app.py) is also written to that file for the commands below it.
- `console`: lines that begin with `$ ` are commands; the lines below one are what it must print
  (`...` stands for anything). A command must succeed.
- `bash`, `sh`: a script that must succeed.

Blocks that only illustrate use another word, such as `text`.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`\n]*)$")
TIMEOUT = 240  # seconds for one block or command


@dataclass
class Block:
    """One fenced block; `line` is the line of its opening fence."""

    language: str
    argument: str
    text: str
    line: int


def parse(markdown: str) -> list[Block]:
    """The fenced blocks of a Markdown text, in order."""
    blocks: list[Block] = []
    opened: Block | None = None
    indent = 0
    for number, line in enumerate(markdown.splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            words = fence["info"].split() + ["", ""]
            opened, indent = Block(words[0], words[1], "", number), len(fence["indent"])
        elif opened is not None and fence and not fence["info"].strip():
            blocks.append(opened)
            opened = None
        elif opened is not None:
            opened.text += line[min(indent, len(line) - len(line.lstrip(" "))) :] + "\n"
    if opened is not None:
        raise ValueError(f"line {opened.line}: the block is not closed")
    return blocks


def matches(expected: str, printed: str) -> bool:
    """Whether `printed` is what the document shows; `...` stands for any text."""
    if not expected.strip():
        return True
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


def commands(text: str) -> list[tuple[str, str]]:
    """(command, expected output) pairs of a console block; `> ` continues a command."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", "")
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
        else:
            raise ValueError(f"output before any command: {line}")
    return found


def run_shell(script: str, cwd: Path, env: dict[str, str]) -> str:
    """Runs a shell script and returns what it printed; fails when it fails."""
    done = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, f"exit status {done.returncode} of\n{script}\n{done.stdout}"
    return done.stdout


def run_document(path: Path, python: str, cwd: Path, env: dict[str, str]) -> int:
    """Runs every block of one document; returns how many there were."""
    blocks = parse(path.read_text())
    program = ""
    ran = 0
    for block in blocks:
        if block.language == "python":
            ran += 1
            if block.argument:
                (cwd / block.argument).write_text(block.text)
            # Blank lines keep the numbers of a traceback those of the document.
            program += "\n" * (block.line - program.count("\n")) + block.text
    if program:
        script = cwd / f"{path.stem}_blocks.py"
        script.write_text(program)
        run_shell(f'"{python}" "{script}"', cwd, env)
    for block in blocks:
        if block.language == "console":
            for command, expected in commands(block.text):
                ran += 1
                printed = run_shell(command, cwd, env)
                assert matches(expected, printed), (
                    f"{path.name}:{block.line}: $ {command}\nshows:\n{expected}\nprints:\n{printed}"
                )
        elif block.language in ("bash", "sh"):
            ran += 1
            run_shell(block.text, cwd, env)
    return ran
