"""Fits how likely a mention is right, from mentions in voices that the network was not trained on.

    python3 calibrate.py mentions.jsonl LEAST

A line each: voice, slot, act, signs (numbers by name), `right`: whether it is as marked, 0 or 1, and for some of them `judged`: whether
a reader finds it right, 0 or 1. Marks are strict: another writer marks another slot or a longer value. So a logistic model of the signs,
with a term for each slot and act, is fitted to the marks, and its odds are scaled to the verdicts (Platt 1999). Writes labels.json for
export.py. Prints how it does on each voice when fitted on the others.
"""
import json
import sys

import numpy as np

from corpus import ACTS, SLOTS

PENALTY, STEPS = 5.0, 30


def design(rows, names):
    signs = np.array([[row["signs"][name] for name in names] for row in rows])
    kinds = np.zeros((len(rows), len(SLOTS) + len(ACTS)))
    for i, row in enumerate(rows):
        kinds[i, SLOTS.index(row["slot"])] = 1
        kinds[i, len(SLOTS) + ACTS.index(row["act"])] = 1
    return signs, kinds


def fit(signs, kinds, y):
    """Logistic regression by Newton's method, with standardized signs; returns the bias and the weights of the given ones."""
    mean, spread = signs.mean(0), signs.std(0) + 1e-9
    x = np.c_[np.ones(len(y)), (signs - mean) / spread, kinds]
    penalty = np.r_[0.0, np.full(x.shape[1] - 1, PENALTY)]
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ w))
        w -= np.linalg.solve((x.T * (p * (1 - p))) @ x + np.diag(penalty) + 1e-9 * np.eye(len(w)), x.T @ (p - y) + penalty * w)
    own = w[1 : 1 + signs.shape[1]] / spread
    return w[0] - own @ mean, np.r_[own, w[1 + signs.shape[1] :]]


def likely(signs, kinds, fitted):
    return 1 / (1 + np.exp(-(fitted[0] + np.c_[signs, kinds] @ fitted[1])))


def logit(share):
    return np.log(share / (1 - share))


def platt(shares, y):
    """Returns shift and scale of the log odds, by Newton's method."""
    x, w = np.c_[np.ones(len(y)), logit(shares)], np.zeros(2)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ w))
        w += np.linalg.solve((x.T * (p * (1 - p))) @ x, x.T @ (y - p))
    return w


if __name__ == "__main__":
    rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf8")]
    names = list(rows[0]["signs"])
    signs, kinds = design(rows, names)
    y, voices = np.array([row["right"] for row in rows], float), np.array([row["voice"] for row in rows])
    held = np.zeros(len(rows))
    for voice in set(voices):
        out = voices == voice
        held[out] = likely(signs[out], kinds[out], fit(signs[~out], kinds[~out], y[~out]))
    judged = np.array(["judged" in row for row in rows])
    verdicts = np.array([row.get("judged", 0) for row in rows], float)
    shift, scale = platt(held[judged], verdicts[judged])
    sure = 1 / (1 + np.exp(-(shift + scale * logit(held))))
    for least in (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8):
        kept = sure >= least
        print(f"confidence >= {least}: {kept.sum()} mentions, as marked {y[kept].mean():.3f}, of all as marked {y[kept].sum() / y.sum():.3f}; "
              f"of {(kept & judged).sum()} judged, right {verdicts[kept & judged].mean():.3f}")
    bias, weights = fit(signs, kinds, y)
    bias, weights = shift + scale * bias, scale * weights
    round4 = lambda values: [round(float(v), 4) for v in values]
    at = len(names)
    confidence = dict(bias=round4([bias])[0], signs=dict(zip(names, round4(weights[:at]))),
                      slots=round4(weights[at : at + len(SLOTS)]), acts=round4(weights[at + len(SLOTS) :]))
    json.dump(dict(confidence=confidence, least=float(sys.argv[2])), open("labels.json", "w"), indent=1)
