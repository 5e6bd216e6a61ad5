import type { Cardinality, FactDraft, NO_SLOT, Observation } from "../../../language/slots/fact.ts";
import type { StoredFact } from "./records.ts";

/** The decisions that people make about a fact. */
export const DECISIONS = ["corrected", "retracted", "restored"] as const;

/** The fields of a fact that people can correct. */
export const CORRECTABLE = ["subject", "attribute", "value", "valid_from", "valid_to"] as const;
export type Correctable = Pick<FactDraft, (typeof CORRECTABLE)[number]>;

/** The new values of a correction. Null removes a date; an absent field stays unchanged. */
export type Correction = Partial<Pick<Correctable, "subject" | "attribute" | "value">> & {
  valid_from?: string | null | undefined;
  valid_to?: string | null | undefined;
};

/** A decision about a fact. */
export interface Decision {
  action: (typeof DECISIONS)[number];
  /** Principal who decided. */
  by: string;
  /** ISO instant. */
  at: string;
  /** The previous values of the fields that a correction changed. */
  before?: Partial<Correctable>;
}

/** The fields that identify a fact when a text is read again. */
export type FactIdentity = Omit<FactDraft, "confidence" | "cardinality"> & {
  cardinality: Cardinality | typeof NO_SLOT;
};

/** The standing decisions about a fact, as exports contain them. The fact is found by what the text says. */
export interface CarriedDecision {
  fact: FactIdentity;
  corrected?: Correction;
  decision?: NonNullable<Observation["decision"]>;
  /** ISO instant of the last decision. */
  at: string;
}

/** Returns the identity in a fixed order. The order never changes, because the fact's id is derived from it. */
export function identityOf(fact: FactIdentity) {
  const { subject, attribute, cardinality, value, act, replaces = null, span } = fact;
  const { valid_from = null, valid_to = null } = fact;
  return [subject, attribute, cardinality, value, act, replaces, span.start, span.end, valid_from, valid_to];
}

/** Returns the key by which a carried decision finds its fact. */
export function identityKey(fact: FactIdentity): string {
  return JSON.stringify(identityOf(fact));
}

/** Returns the corrected fact, whose `as_read` keeps what the text says, and the previous values of the corrected fields. */
export function applyCorrection(fact: StoredFact, correction: Correction) {
  const fields = CORRECTABLE.filter((field) => correction[field] !== undefined);
  const former = Object.fromEntries(fields.map((field) => [field, fact[field] ?? null]));
  const corrected = { ...fact, ...pick(correction, fields), as_read: { ...former, ...fact.as_read } };
  return { fact: withoutNulls(corrected) as StoredFact, before: withoutNulls(former) };
}

/** Returns the standing decisions about a fact, or undefined if there are none or all were undone. */
export function toCarried(fact: StoredFact): CarriedDecision | undefined {
  const { cardinality, act, replaces, span, decision, as_read = {}, decisions } = fact;
  const last = decisions?.at(-1);
  const changed = CORRECTABLE.filter((field) => field in as_read && as_read[field] !== (fact[field] ?? null));
  if (last === undefined || (changed.length === 0 && decision === undefined)) return undefined;
  const read = withoutNulls({ ...pick(fact, CORRECTABLE), ...as_read }) as Correctable;
  const corrected = Object.fromEntries(changed.map((field) => [field, fact[field] ?? null]));
  return {
    fact: { ...read, cardinality, act, ...(replaces !== undefined && { replaces }), span },
    ...(changed.length > 0 && { corrected }),
    ...(decision !== undefined && { decision }),
    at: last.at,
  };
}

/** Applies a row's decisions to a fact that was just read; `by` is recorded as their author. */
export function applyCarried(read: StoredFact, { corrected, decision, at }: CarriedDecision, by: string): StoredFact {
  const correction = corrected && applyCorrection(read, corrected);
  const decisions: Decision[] = [
    ...(correction ? [{ action: "corrected", by, at, before: correction.before } as const] : []),
    ...(decision !== undefined ? [{ action: decision, by, at }] : []),
  ];
  const fact = { ...(correction?.fact ?? read), ...(decision !== undefined && { decision }) };
  return { ...fact, decisions, version: read.version + decisions.length };
}

export function pick<Source extends object, Field extends keyof Source>(source: Source, fields: readonly Field[]) {
  return Object.fromEntries(
    fields.filter((field) => source[field] !== undefined).map((field) => [field, source[field]]),
  );
}

function withoutNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
