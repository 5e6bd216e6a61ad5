"""Fine-tunes the layers of multilingual-e5-small as a reader of facts (README.md says what it reads).

    python3 train.py e5-small-q4.bin tokenizer.json corpus OUT [--from MODEL] [--layers 12] [--epochs 4] [--share 1] [--whole PREFIX] [--composed 4000] [--seed 0] [--dev VOICE,VOICE]

Each epoch sees a share of the corpus and all of the voices with a prefix, varied anew (augment.py), and so many composed messages (compose.py). With `--from`, the training
goes on from an exported model. Writes the mean of the weights over the last steps. Heads: spans of values and of subjects (begin, inside, outside), the slot and the act
of each value, and a pointer from each value to whom or what it is about; the start token stands for the speaker.
"""
import argparse
import json
import pickle
import random
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import optax
from onnx import numpy_helper
from tokenizers import Tokenizer

from augment import Augmentation
from compose import Composer
from corpus import ACTS, SLOTS, read

sys.path.insert(0, str(Path(__file__).parent.parent / "multilingual-e5-small"))
from convert import Packed  # noqa: E402

# Draws the random numbers of dropout faster than the default does.
jax.config.update("jax_default_prng_impl", "rbg")

START, END = 0, 2
MAX_BEFORE, MAX_TEXT = 40, 150
LENGTHS = (32, 48, 64, 96, 128, 200)
HEADS, POINTER, BATCH = 12, 64, 16
# Of hidden values, of whole tokens before the trained layers, and of the certainty of labels.
DROPOUT, TOKEN_DROPOUT, SMOOTHING = 0.2, 0.08, 0.05
# A rare act counts more: by this power of how much rarer it is than the most frequent one.
RARE_ACTS = 0.35
# How much faster the heads learn: new ones, and those of an exported model; and how much slower the lower half of the layers.
NEW_HEADS, TRAINED_HEADS, LOWER = 8.0, 4.0, 0.5
# The mean of the weights counts those of each 10 steps; a step before counts less by this.
AVERAGED_STEPS, AVERAGE = 10, 0.998


def weights(path):
    p = Packed(path)

    def matrix(name, inputs):
        scales, values = p.blocks(name)
        return ((values.astype(np.float32) - 8) * scales.astype(np.float32)[:, None]).reshape(-1, inputs)

    def layer(k):
        linear = lambda n, i=p.hidden: (matrix(f"l{k}.{n}.w", i).T.copy(), p.floats(f"l{k}.{n}.b").copy())
        norm = lambda n: (p.floats(f"l{k}.{n}.w").copy(), p.floats(f"l{k}.{n}.b").copy())
        return dict(q=linear("q"), k=linear("k"), v=linear("v"), o=linear("ao"), n1=norm("aln"), i=linear("fi"),
                    f=linear("fo", p.inner), n2=norm("oln"))

    words = matrix("emb.word", p.hidden)
    positions = p.floats("emb.pos").reshape(-1, p.hidden) + p.floats("emb.type").reshape(-1, p.hidden)[0]
    return dict(words=words, positions=positions, norm=(p.floats("emb.ln.w"), p.floats("emb.ln.b"))), [layer(k) for k in range(p.layers)]


def exported(path, layers):
    """Returns the trained layers and heads of a model that export.py wrote."""
    own = {i.name: numpy_helper.to_array(i) for i in onnx.load(path, load_external_data=False).graph.initializer if i.data_location == 0}

    def linear(name, part=slice(None)):
        matrix = own[f"{name}.weights"].astype(np.float32) * own[f"{name}.scales"]
        return np.ascontiguousarray(matrix[:, part]), own[f"{name}.bias"][part]

    def layer(k):
        norm = lambda name: (own[f"l{k}.{name}.w"], own[f"l{k}.{name}.b"])
        third = own[f"l{k}.qkv.bias"].size // 3
        q, key, v = (linear(f"l{k}.qkv", slice(third * i, third * (i + 1))) for i in range(3))
        return dict(q=q, k=key, v=v, o=linear(f"l{k}.mixed"), n1=norm("aln"), i=linear(f"l{k}.inner"), f=linear(f"l{k}.folded"), n2=norm("oln"))

    head = lambda name: (own[f"head.{name}.weights"], own[f"head.{name}.bias"])
    names = dict(value="value", who="who", slot="slot", act="act", from_="from", to="to")
    return dict(layers=[layer(k) for k in layers], heads={key: head(name) for key, name in names.items()})


def before(path, layers):
    """Returns what training goes on from: an exported model, or what this script wrote."""
    if path.endswith(".onnx"):
        return exported(path, layers)
    return jax.tree.map(jnp.asarray, pickle.load(open(path, "rb")))


def encode(records, tokenizer):
    """Token ids and labels of each record; a value outside the tokens kept is left out."""
    rows = []
    for r in records:
        before, text = tokenizer.encode(r.before, add_special_tokens=False), tokenizer.encode(r.text, add_special_tokens=False)
        cut = max(0, len(before.ids) - MAX_BEFORE)
        parts = [(before.ids[cut:], before.offsets[cut:]), (text.ids[:MAX_TEXT], text.offsets[:MAX_TEXT])]
        ids, places = [START], [None]
        for part, (part_ids, offsets) in enumerate(parts):
            ids += part_ids + [END]
            places += [(part, a, b) for a, b in offsets] + [None]
        n = len(ids)
        row = dict(record=r, ids=ids, places=places, value=np.zeros(n, np.int32), who=np.zeros(n, np.int32),
                   slot=np.full(n, -1, np.int32), act=np.full(n, -1, np.int32), about=np.full(n, -1, np.int32),
                   share=np.zeros(n, np.float32))
        inside = lambda part, a, b: [i for i, at in enumerate(places) if at and at[0] == part and at[1] < b and at[2] > a and at[2] > at[1]]
        for part, start, end, slot, act, who in r.facts:
            tokens = inside(part, start, end)
            if not tokens:
                continue
            row["value"][tokens] = 2
            row["value"][tokens[0]] = 1
            row["slot"][tokens] = SLOTS.index(slot)
            row["act"][tokens] = ACTS.index(act)
            row["share"][tokens] = 1 / len(tokens)
            target = 0
            if who:
                # The nearest occurrence in the same part, otherwise the last in the message before.
                found = occurrences(r, part, start, who)
                if found is None:
                    row["about"][tokens[0]] = -1
                    continue
                subject = inside(*found)
                if not subject:
                    continue
                row["who"][subject] = np.where(row["who"][subject] == 0, 2, row["who"][subject])
                row["who"][subject[0]] = 1
                target = subject[0]
            row["about"][tokens[0]] = target
        rows.append(row)
    return rows


def occurrences(r, part, start, who):
    for where in (part, 1 - part):
        text, found, at = (r.before, r.text)[where].lower(), [], -1
        while (at := text.find(who.lower(), at + 1)) != -1:
            found.append(at)
        if found:
            best = min(found, key=lambda a: abs(a - start)) if where == part else found[-1]
            return where, best, best + len(who)
    return None


def norm(x, g):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-12) * g[0] + g[1]


def layer(x, p, mask, key=None):
    batch, tokens, size = x.shape
    split = lambda a: (x @ a[0] + a[1]).reshape(batch, tokens, HEADS, size // HEADS).transpose(0, 2, 1, 3)
    scores = split(p["q"]) @ split(p["k"]).transpose(0, 1, 3, 2) / (size // HEADS) ** 0.5 + (mask[:, None, None, :] - 1) * 1e9
    mixed = (jax.nn.softmax(scores, -1) @ split(p["v"])).transpose(0, 2, 1, 3).reshape(batch, tokens, size)
    drop = lambda a, n: a if key is None else a * jax.random.bernoulli(jax.random.fold_in(key, n), 1 - DROPOUT, a.shape) / (1 - DROPOUT)
    x = norm(x + drop(mixed @ p["o"][0] + p["o"][1], 1), p["n1"])
    return norm(x + drop(jax.nn.gelu(x @ p["i"][0] + p["i"][1], approximate=False) @ p["f"][0] + p["f"][1], 2), p["n2"])


def heads(rng):
    linear = lambda n: (rng.normal(size=(384, n)).astype(np.float32) * 0.02, np.zeros(n, np.float32))
    return dict(value=linear(3), who=linear(3), slot=linear(len(SLOTS)), act=linear(len(ACTS)), from_=linear(POINTER), to=linear(POINTER))


def logits(model, x, mask, key=None):
    if key is not None:
        x = x * jax.random.bernoulli(jax.random.fold_in(key, 98), 1 - TOKEN_DROPOUT, x.shape[:2])[..., None]
    for n, p in enumerate(model["layers"]):
        x = layer(x, p, mask, None if key is None else jax.random.fold_in(key, n))
    if key is not None:
        x = x * jax.random.bernoulli(jax.random.fold_in(key, 99), 1 - DROPOUT, x.shape) / (1 - DROPOUT)
    h = model["heads"]
    out = {name: x @ h[name][0] + h[name][1] for name in ("value", "who", "slot", "act")}
    a, b = x @ h["from_"][0] + h["from_"][1], x @ h["to"][0] + h["to"][1]
    out["about"] = jnp.einsum("btd,bsd->bts", a, b) / POINTER**0.5 + (mask[:, None, :] - 1) * 1e9
    return out


def weights_of_acts(records):
    counts = np.array([sum(fact[4] == act for record in records for fact in record.facts) for act in ACTS])
    return (counts.max() / np.maximum(counts, 1)) ** RARE_ACTS


def loss_of(model, x, mask, labels, act_weights, key):
    out = logits(model, x, mask, key)
    total = 0.0
    for name, weight in dict(value=1.0, who=0.5, slot=1.0, act=0.7, about=0.7).items():
        y = labels[name]
        known = (mask if name in ("value", "who") else (y >= 0).astype(jnp.float32))
        # A long value counts no more than a short one.
        if name in ("slot", "act"):
            known = known * labels["share"]
        if name == "act":
            known = known * act_weights[jnp.maximum(y, 0)]
        each = optax.softmax_cross_entropy_with_integer_labels(out[name], jnp.maximum(y, 0))
        if name in ("slot", "act"):
            each = (1 - SMOOTHING) * each - SMOOTHING * jax.nn.log_softmax(out[name]).mean(-1)
        each = each * known
        total += weight * each.sum() / (mask.sum() if name in ("value", "who") else known.sum() + 1.0) * (10.0 if name in ("value", "who") else 1.0)
    return total


def padded(rows, length):
    """Returns token ids, mask and labels of rows as arrays of the same length."""
    ids, mask = np.full((len(rows), length), 1, np.int32), np.zeros((len(rows), length), np.float32)
    labels = {name: np.zeros((len(rows), length), np.int32) for name in ("value", "who")}
    labels |= {name: np.full((len(rows), length), -1, np.int32) for name in ("slot", "act", "about")}
    labels["share"] = np.zeros((len(rows), length), np.float32)
    for i, row in enumerate(rows):
        t = len(row["ids"])
        ids[i, :t], mask[i, :t] = row["ids"], 1
        for name in labels:
            labels[name][i, :t] = row[name]
    return ids, mask, labels


def length_of(row):
    return next(length for length in LENGTHS if length >= len(row["ids"]))


def lower_layers(embedding, layers):
    """Returns a function from token ids and mask to the hidden values below the trained layers."""
    words = jnp.asarray(embedding["words"])

    @jax.jit
    def run(ids, mask):
        x = norm(words[ids] + embedding["positions"][: ids.shape[1]], embedding["norm"])
        for p in layers:
            x = layer(x, p, mask)
        return x

    return run


def train(model, lower, rows_of, act_weights, epochs, rate, head_rate, after_epoch):
    """`rows_of(epoch)`: the encoded records of an epoch. Returns the mean of the weights over the last steps."""
    rng = np.random.default_rng(0)
    steps = epochs * (len(rows_of(0)) // BATCH)
    schedule = optax.warmup_cosine_decay_schedule(0, rate, steps // 20, steps)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.01))
    state, mean, count = optimizer.init(model), model, 0

    @jax.jit
    def step(model, state, x, mask, labels, key):
        loss, gradient = jax.value_and_grad(loss_of)(model, x, mask, labels, act_weights, key)
        update, state = optimizer.update(gradient, state, model)
        slower = lambda n, layer: jax.tree.map(lambda a: a * LOWER, layer) if n + 6 < len(update["layers"]) else layer
        update = dict(layers=[slower(n, layer) for n, layer in enumerate(update["layers"])], heads=jax.tree.map(lambda a: a * head_rate, update["heads"]))
        return optax.apply_updates(model, update), state, loss

    for epoch in range(epochs):
        began, cpu, losses = time.time(), time.process_time(), []
        rows = [row for row in rows_of(epoch) if len(row["ids"]) <= LENGTHS[-1]]
        for length, batch in make_batches(rows, rng):
            ids, mask, labels = padded([rows[i] for i in batch], length)
            model, state, loss = step(model, state, lower(ids, mask), mask, labels, jax.random.PRNGKey(count))
            losses.append(float(loss))
            count += 1
            if count % AVERAGED_STEPS == 0:
                kept = min(AVERAGE**AVERAGED_STEPS, (1 + count) / (50 + count))
                mean = jax.tree.map(lambda old, new: kept * old + (1 - kept) * new, mean, model)
        print(f"epoch {epoch}: loss {np.mean(losses):.3f}, {time.time() - began:.0f} s, processor {time.process_time() - cpu:.0f} s", flush=True)
        after_epoch(mean if epoch == epochs - 1 else model)
    return mean


def make_batches(rows, rng):
    by_length = {}
    for i in rng.permutation(len(rows)):
        by_length.setdefault(length_of(rows[i]), []).append(int(i))
    batches = [(length, own[at : at + BATCH]) for length, own in by_length.items() for at in range(0, len(own) - BATCH + 1, BATCH)]
    return [batches[i] for i in rng.permutation(len(batches))]


def predict(model, lower, rows):
    run = jax.jit(lambda model, x, mask: logits(model, x, mask))
    result = [None] * len(rows)
    for length in LENGTHS:
        own = [i for i, row in enumerate(rows) if length_of(row) == length]
        for at in range(0, len(own), BATCH):
            batch = own[at : at + BATCH]
            ids, mask, _ = padded([rows[i] for i in batch + [batch[0]] * (BATCH - len(batch))], length)
            out = {name: np.asarray(value) for name, value in run(model, lower(ids, mask), mask).items()}
            for j, i in enumerate(batch):
                t = len(rows[i]["ids"])
                result[i] = {name: (value[j, :t, :t] if name == "about" else value[j, :t]) for name, value in out.items()}
    return result


def softmax(a):
    e = np.exp(a - a.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def words_of(row):
    """Groups tokens into words: tokens of letters and digits without a space between them; others stand alone."""
    words, places, r = [], row["places"], row["record"]
    for i, place in enumerate(places):
        if place is None or place[1] == place[2]:
            continue
        last = places[words[-1][-1]] if words else None
        text = (r.before, r.text)[place[0]]
        joins = last and last[0] == place[0] and last[2] == place[1] and is_letter(text[place[1] - 1]) and is_letter(text[place[1]])
        if joins:
            words[-1].append(i)
        else:
            words.append([i])
    return words


def is_letter(c):
    """Letters of scripts that put spaces between words, and digits."""
    return c.isalnum() and not ("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af")


def decode(row, out):
    """Facts as (part, start, end, slot, act, who text or '', probability)."""
    value, facts = softmax(out["value"]), []
    places, r = row["places"], row["record"]
    words = words_of(row)
    outside = [float(value[w, 0].mean()) for w in words]
    begins = [bool(value[w[0], 1] > value[w[0], 2]) for w in words]
    i = 0
    while i < len(words):
        if outside[i] > 0.5:
            i += 1
            continue
        j = i + 1
        while j < len(words) and outside[j] <= 0.5 and not begins[j] and places[words[j][0]][0] == places[words[i][0]][0]:
            j += 1
        tokens = [t for w in words[i:j] for t in w]
        slot, act = softmax(out["slot"][tokens]).mean(0), softmax(out["act"][tokens]).mean(0)
        about = softmax(out["about"][tokens[0]])
        target, who = int(about.argmax()), ""
        if target and places[target] is not None:
            end = target + 1
            while end < len(places) and places[end] is not None and places[end][0] == places[target][0] and out["who"][end].argmax() == 2:
                end += 1
            text = (r.before, r.text)[places[target][0]]
            who = text[places[target][1] : places[end - 1][2]].strip()
        part, start, stop = places[tokens[0]][0], places[tokens[0]][1], places[tokens[-1]][2]
        text = (r.before, r.text)[part]
        while start < stop and text[start].isspace():
            start += 1
        sure = float((1 - np.array(outside[i:j])).min() * slot.max() * act.max() * about[target])
        if any(c.isalnum() for c in text[start:stop]):
            facts.append((part, start, stop, SLOTS[int(slot.argmax())], ACTS[int(act.argmax())], who, sure))
        i = j
    return facts


def score(rows, outs, least=0.0):
    """Precision and recall: value overlaps by half, same slot, act and subject."""
    by = {}
    for row, out in zip(rows, outs):
        r = row["record"]
        wanted, found = [(p, a, b, s, c, w) for p, a, b, s, c, w in r.facts], [f for f in decode(row, out) if f[6] >= least]
        text = (r.before, r.text)

        def same(f, g, strict=True):
            overlap = min(f[2], g[2]) - max(f[1], g[1])
            if f[0] != g[0] or overlap * 2 < max(f[2] - f[1], g[2] - g[1]):
                return False
            return not strict or (f[3] == g[3] and f[4] == g[4] and (f[5].lower() == g[5].lower() or (f[5] and g[5] and (f[5].lower() in g[5].lower() or g[5].lower() in f[5].lower()))))

        hit = sum(any(same(f, g) for g in wanted) for f in found)
        got = sum(any(same(f, g) for f in found) for g in wanted)
        span = sum(any(same(f, g, False) for g in wanted) for f in found)
        for key in ("all", "en" if r.lang == "en" else "other", r.voice):
            c = by.setdefault(key, np.zeros(5))
            c += (len(found), hit, len(wanted), got, span)
    return {k: dict(found=int(c[0]), right=round(c[1] / max(1, c[0]), 3), wanted=int(c[2]), read=round(c[3] / max(1, c[2]), 3), span=round(c[4] / max(1, c[0]), 3)) for k, c in by.items()}


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    for name in ("weights", "tokenizer", "corpus", "out"):
        options.add_argument(name)
    options.add_argument("--from", dest="trained", default="")
    options.add_argument("--layers", type=int, default=12)
    options.add_argument("--epochs", type=int, default=4)
    options.add_argument("--rate", type=float, default=1.5e-4)
    options.add_argument("--share", type=float, default=1.0)
    options.add_argument("--whole", default="")
    options.add_argument("--composed", type=int, default=4_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--dev", default="")
    given = options.parse_args()
    tokenizer = Tokenizer.from_file(given.tokenizer)
    embedding, layers = weights(given.weights)
    cut = len(layers) - given.layers
    lower = lower_layers(embedding, layers[:cut])
    new = dict(layers=layers[cut:], heads=heads(np.random.default_rng(0)))
    model = before(given.trained, range(cut, len(layers))) if given.trained else new
    voices = tuple(v for v in given.dev.split(",") if v)
    records = read(given.corpus)
    is_dev = lambda record: record.voice.startswith(voices) if voices else False
    varied = Augmentation([r for r in records if not is_dev(r)])
    dev = encode([r for r in records if is_dev(r)], tokenizer)
    print(len(varied.records), "messages,", len(dev), "more to measure on", flush=True)

    def report(model):
        outs = predict(model, lower, dev) if dev else []
        for least in (0.0, 0.4, 0.7) if dev else ():
            scores = score(dev, outs, least)
            print(f"  least {least}:", json.dumps({k: scores[k] for k in ("all", "en", "other") if k in scores}), flush=True)
        pickle.dump(jax.tree.map(np.asarray, model), open(given.out, "wb"))

    composer = Composer(varied.records)

    def rows_of(epoch):
        """A share of the corpus and all of the voices with the prefix `--whole`, varied anew, and composed messages."""
        drawn, whole = random.Random(epoch + given.seed), tuple(v for v in given.whole.split(",") if v)
        own = [record for record in varied.epoch(epoch + given.seed) if drawn.random() < given.share or record.voice.startswith(whole)]
        return encode(own + composer.records(given.composed, epoch + given.seed), tokenizer)

    train(model, lower, rows_of, jnp.asarray(weights_of_acts(varied.records), jnp.float32), given.epochs, given.rate, TRAINED_HEADS if given.trained else NEW_HEADS, report)
