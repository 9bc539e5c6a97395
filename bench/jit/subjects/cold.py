"""A program in which nothing is hot for long: parsing, formatting, dicts, classes, exceptions."""

import json
import re
import string
from dataclasses import dataclass


@dataclass
class Entry:
    name: str
    fields: dict
    tags: list

    def key(self):
        return (self.name.lower(), len(self.tags))


class Index:
    def __init__(self):
        self.words = {}

    def add(self, entry):
        for word in re.findall(r"[a-z]+", entry.name.lower()):
            self.words.setdefault(word, []).append(entry)

    def find(self, word):
        try:
            return self.words[word]
        except KeyError:
            return []


def make_entry(i):
    letters = string.ascii_lowercase
    name = " ".join(letters[i * k % 20 : i * k % 20 + 4] for k in range(1, 5))
    return Entry(name, {"id": i, "half": i / 2, "text": f"{i:05d}"}, [str(i % 7), str(i % 11)])


def round_trip(entries):
    text = json.dumps([{"name": e.name, "fields": e.fields, "tags": e.tags} for e in entries])
    return [Entry(**item) for item in json.loads(text)]


def main():
    total = 0
    for batch in range(200):
        entries = [make_entry(batch * 100 + i) for i in range(250)]
        index = Index()
        for entry in round_trip(entries):
            index.add(entry)
        ordered = sorted(entries, key=Entry.key)
        total += len(ordered[0].name) + sum(len(found) for found in index.words.values())
        total += len(index.find("abcd")) + len(index.find("nothing"))
        template = string.Template("$name has $count words")
        lines = [template.substitute(name=e.name, count=len(e.name.split())) for e in ordered]
        total += len("\n".join(lines))
    print(total)


if __name__ == "__main__":
    main()
