"""Reads the corpus: messages with marks, each with the message before it (format: corpus/README.md)."""
import re
from pathlib import Path

SLOTS = """name nickname birthday age from nationality lives_in lives_with works_at works_as works_on studies studies_at partner
relationship_status child sibling parent relative friend pet colleague flatmate neighbour manager doctor contact allergic_to diet
condition takes eats drinks likes prefers favourite owns drives phone_model computer uses subscription plays speaks learns gym
member_of believes size habit goal plan event instruction property""".split()
ACTS = ["state", "past", "end", "plan", "cancel", "correct", "not"]
MARK = re.compile(r"\{([^{}|]*)\|([a-z_]+)(?:,\s*([a-z]+))?(?:\|([^{}]*))?\}")


class Record:
    """`before` and `text` without marks; `facts`: (part, start, end, slot, act, who), part 0 for the message before."""

    def __init__(self, voice, lang, before, text):
        self.voice, self.lang, self.facts, self.problems = voice, lang, [], []
        self.before, self.text = self.unmark(before, 0), self.unmark(text, 1)
        if "{" in self.before + self.text and re.search(r"\{[^{}]*\|", self.before + self.text):
            self.problems.append("open mark")

    @classmethod
    def of(cls, record, before, text, facts):
        """Another text of the same voice, with its facts."""
        new = cls(record.voice, record.lang, "", "")
        new.before, new.text, new.facts = before, text, list(facts)
        return new

    def unmark(self, marked, part):
        plain, at = "", 0
        for mark in MARK.finditer(marked):
            value, slot, act, who = mark.groups()
            act = act or "state"
            plain += marked[at : mark.start()]
            if slot in SLOTS and act in ACTS and value.strip():
                self.facts.append((part, len(plain), len(plain) + len(value), slot, act, (who or "").strip()))
            else:
                self.problems.append(f"{slot},{act}")
            plain += value
            at = mark.end()
        return plain + marked[at:]


def read(folder):
    records = []
    for file in sorted(Path(folder).glob("*.txt")):
        voice, lang, before = file.stem, "en", ""
        for line in file.read_text(encoding="utf8").splitlines():
            line = line.replace("⏎", "\n").strip()
            if line.startswith("#"):
                lang = (re.search(r"lang:\s*([a-z]{2})", line) or [None, lang])[1]
            elif line.startswith("<"):
                before = line[1:].strip()
            elif line.startswith(">"):
                records.append(Record(voice, lang, before, line[1:].strip()))
                before = ""
            elif not line:
                before = ""
    return records


if __name__ == "__main__":
    import collections
    import sys

    records = read(sys.argv[1])
    slots = collections.Counter(fact[3] for record in records for fact in record.facts)
    acts = collections.Counter(fact[4] for record in records for fact in record.facts)
    print(len(records), "records", sum(slots.values()), "facts", sum(not r.facts for r in records), "without")
    print(collections.Counter(r.lang for r in records), acts, slots, sep="\n")
    print(collections.Counter(p for r in records for p in r.problems).most_common(20))
    missing = [f for r in records for f in r.facts if f[5] and f[5] not in r.text and f[5] not in r.before]
    print(len(missing), "whos that do not stand there", missing[:8])
