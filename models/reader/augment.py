"""Varies messages between epochs: other values of the same slot, less care in typing, two messages in one."""
import random
import re
from collections import defaultdict

from corpus import Record

# Slots whose values fit into each other's sentences.
EXCHANGED = set("""name nickname from nationality lives_in works_at works_as studies studies_at partner child sibling parent friend pet
colleague manager doctor allergic_to diet condition takes eats drinks likes favourite owns drives phone_model computer uses plays
speaks learns gym member_of size age""".split())
MAX_VALUE, MIN_VALUES, MAX_JOINED = 40, 8, 300
# Shares: of messages that are varied, of values that are exchanged in these, and of the other changes.
VARIED, SWAPPED, CARELESS, JOINED = 0.4, 0.4, 0.35, 0.15
SPACED = {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ru"}


class Augmentation:
    def __init__(self, records):
        self.records, self.values, self.voices = records, defaultdict(list), defaultdict(list)
        for r in records:
            self.voices[r.voice].append(r)
            for part, start, end, slot, _, _ in r.facts:
                value = (r.before, r.text)[part][start:end]
                if slot in EXCHANGED and len(value) < MAX_VALUE and "\n" not in value:
                    self.values[self.kind(r, slot, value)].append(value)

    @staticmethod
    def kind(record, slot, value):
        return record.lang, slot, value[:1].isupper(), value[:1].isdigit()

    def epoch(self, seed):
        """Returns the records in their order, some of them varied."""
        rng = random.Random(seed)
        return [self.varied(r, rng) if rng.random() < VARIED else r for r in self.records]

    def varied(self, record, rng):
        new = self.exchanged(record, rng)
        if rng.random() < CARELESS:
            new = careless(new, rng)
        other = rng.choice(self.voices[record.voice])
        if rng.random() < JOINED and not other.before and len(new.text) + len(other.text) < MAX_JOINED:
            new = joined(new, other)
        return new

    def exchanged(self, record, rng):
        """Puts other values of the slot in place of values that stand once and are nobody's subject."""
        facts, texts = list(record.facts), [record.before, record.text]
        subjects = {fact[5].lower() for fact in facts if fact[5]}
        for k in sorted(range(len(facts)), key=lambda k: facts[k][:2], reverse=True):
            part, start, end, slot, act, who = facts[k]
            old = texts[part][start:end]
            values = self.values.get(self.kind(record, slot, old), [])
            stands_alone = all(j == k or f[0] != part or f[1] >= end or f[2] <= start for j, f in enumerate(facts))
            is_subject = any(old.lower() in subject or subject in old.lower() for subject in subjects)
            if len(values) < MIN_VALUES or rng.random() > SWAPPED or is_subject or texts[part].count(old) > 1 or not stands_alone:
                continue
            new = rng.choice(values)
            texts[part] = texts[part][:start] + new + texts[part][end:]
            shift = len(new) - len(old)
            facts = [(p, a + shift, b + shift, *rest) if p == part and a >= end else (p, a, b, *rest) for p, a, b, *rest in facts]
            facts[k] = (part, start, start + len(new), slot, act, who)
        return Record.of(record, texts[0], texts[1], facts)


def careless(record, rng):
    """Without capitals, without marks between the words, or without the message before if nothing refers to it."""
    chance, text = rng.random(), record.text
    if chance < 0.45 and len(text.lower()) == len(text):
        return Record.of(record, record.before, text.lower(), record.facts)
    if 0.45 <= chance < 0.7 and record.lang in SPACED:
        return Record.of(record, record.before, re.sub(r"[.,!?;](?=\s|$)", " ", text), record.facts)
    if 0.7 <= chance < 0.85 and all(f[0] == 1 and f[5].lower() in text.lower() for f in record.facts):
        return Record.of(record, "", text, record.facts)
    return record


def joined(record, other):
    """Both texts as one message."""
    between = "\n" if (len(record.text) + len(other.text)) % 2 else " "
    shift = len(record.text) + len(between)
    moved = [(part, start + shift, end + shift, *rest) for part, start, end, *rest in other.facts]
    return Record.of(record, record.before, record.text + between + other.text, [*record.facts, *moved])
