import { findSecrets } from "./find-secrets.ts";

/** A secret that was taken out of a text: its type, its value, and where its placeholder starts in what is left. */
export interface TakenSecret {
  type: string;
  at: number;
  value: string;
}

/** A text with placeholders, and what they replace in order. */
export interface RedactedText {
  text: string;
  secrets: TakenSecret[];
}

const PLACEHOLDER_START = "[REDACTED:";
const PLACEHOLDERS = /\[REDACTED:(\w{1,40})\]/g;

/** Whether a text may have placeholders. */
export const hasPlaceholder = (text: string): boolean => text.includes(PLACEHOLDER_START);

export const placeholderOf = (type: string): string => `${PLACEHOLDER_START}${type}]`;

/** Replaces each secret of a text by `[REDACTED:type]`. */
export function redact(text: string, options?: { isData: boolean }): RedactedText {
  const secrets: TakenSecret[] = [];
  let redacted = "";
  let end = 0;
  for (const found of findSecrets(text, options)) {
    redacted += text.slice(end, found.start);
    secrets.push({ type: found.type, at: redacted.length, value: text.slice(found.start, found.end) });
    redacted += placeholderOf(found.type);
    end = found.end;
  }
  return { text: redacted + text.slice(end), secrets };
}

/** Returns the text before its secrets were taken out. Placeholders that somebody typed stay. */
export function restore(text: string, secrets: readonly TakenSecret[]): string {
  let restored = "";
  let end = 0;
  for (const { type, at, value } of secrets) {
    const placeholder = placeholderOf(type);
    if (!text.startsWith(placeholder, at)) continue;
    restored += text.slice(end, at) + value;
    end = at + placeholder.length;
  }
  return restored + text.slice(end);
}

/** Returns the secrets of a redacted text: those that it was found with, and those taken out of it earlier. */
export function withEarlier({ secrets }: RedactedText, earlier: readonly TakenSecret[]): TakenSecret[] {
  const moved = earlier.map((secret) => {
    let shift = 0;
    for (const { type, at, value } of secrets) {
      if (at - shift >= secret.at) break;
      shift += placeholderOf(type).length - value.length;
    }
    return { ...secret, at: secret.at + shift };
  });
  return [...secrets, ...moved].sort((one, other) => one.at - other.at);
}

/**
 * Returns the secrets that the placeholders of a changed text stand for: in order, each the next one of its type. A text
 * that was read with placeholders and is sent back keeps what they stand for.
 */
export function secretsNamedIn(text: string, secrets: readonly TakenSecret[]): TakenSecret[] {
  const named: TakenSecret[] = [];
  const left = new Map([...Map.groupBy(secrets, ({ type }) => type)].map(([type, all]) => [type, [...all]]));
  for (const { 1: type = "", index: at } of text.matchAll(PLACEHOLDERS)) {
    const next = left.get(type)?.shift();
    if (next) named.push({ ...next, at });
  }
  return named;
}

/** Returns a part of a redacted text before its secrets were taken out, if the text contains the part. */
export function restorePart(part: string, text: string, secrets: readonly TakenSecret[]): string {
  const start = hasPlaceholder(part) ? text.indexOf(part) : -1;
  return start === -1 ? part : restore(part, secretsWithin(secrets, start, start + part.length));
}

/** Returns the secrets whose placeholders are completely in a part of a text, with their places in that part. */
export function secretsWithin(secrets: readonly TakenSecret[], start: number, end: number): TakenSecret[] {
  return secrets.flatMap((secret) => {
    const isWithin = secret.at >= start && secret.at + placeholderOf(secret.type).length <= end;
    return isWithin ? [{ ...secret, at: secret.at - start }] : [];
  });
}
