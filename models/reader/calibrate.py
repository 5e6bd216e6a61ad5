"""Fits how likely a mention is right, from verdicts on mentions in voices that the network was not trained on.

    python3 calibrate.py mentions.jsonl LEAST     (a line each: inside, slot, act, about: shares; slot_id, act_id; right: 0 or 1)

Writes labels.json for export.py: a logistic model of the log odds of the four decisions, with a term for each slot and act.
"""
import json
import sys

import numpy as np

from corpus import ACTS, SLOTS

PENALTY, STEPS, RATE = 2.0, 4000, 0.05
NAMES = ("inside", "slot", "act", "about")


def odds(share):
    return np.log(np.maximum(share, 1e-4) / np.maximum(1 - share, 1e-4))


def design(rows):
    x = np.zeros((len(rows), 1 + len(NAMES) + len(SLOTS) + len(ACTS)))
    for i, row in enumerate(rows):
        x[i, 0] = 1
        x[i, 1 : 1 + len(NAMES)] = [odds(row[name]) for name in NAMES]
        x[i, 1 + len(NAMES) + row["slot_id"]] = 1
        x[i, 1 + len(NAMES) + len(SLOTS) + row["act_id"]] = 1
    return x


def fit(x, y):
    """Logistic regression by gradient descent; the terms of slots and acts are drawn to zero."""
    w = np.zeros(x.shape[1])
    penalty = np.r_[np.full(1 + len(NAMES), 0.01), np.full(len(SLOTS) + len(ACTS), PENALTY)]
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ w))
        w -= RATE * (x.T @ (p - y) + penalty * w) / len(y) * 10
    return w


if __name__ == "__main__":
    rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf8")]
    x, y = design(rows), np.array([row["right"] for row in rows], float)
    fold = np.arange(len(rows)) % 10
    held = np.zeros(len(rows))
    for k in range(10):
        held[fold == k] = 1 / (1 + np.exp(-x[fold == k] @ fit(x[fold != k], y[fold != k])))
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        kept = held >= least
        print(f"confidence >= {least}: {kept.sum()} mentions, right {y[kept].mean():.3f}, of all right {y[kept].sum() / y.sum():.3f}")
    w = fit(x, y)
    at = 1 + len(NAMES)
    round4 = lambda values: [round(float(v), 4) for v in values]
    confidence = dict(bias=round4(w[:1])[0], decisions=dict(zip(NAMES, round4(w[1:at]))),
                      slots=round4(w[at : at + len(SLOTS)]), acts=round4(w[at + len(SLOTS) :]))
    json.dump(dict(confidence=confidence, least=float(sys.argv[2])), open("labels.json", "w"), indent=1)
