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

export const placeholderOf = (type: string): string => `[REDACTED:${type}]`;

/** Replaces each secret of a text by `[REDACTED:type]`. */
export function redact(text: string): RedactedText {
  const secrets: TakenSecret[] = [];
  let redacted = "";
  let end = 0;
  for (const found of findSecrets(text)) {
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

/** Returns the secrets whose placeholders are completely in a part of a text, with their places in that part. */
export function secretsWithin(secrets: readonly TakenSecret[], start: number, end: number): TakenSecret[] {
  return secrets.flatMap((secret) => {
    const isWithin = secret.at >= start && secret.at + placeholderOf(secret.type).length <= end;
    return isWithin ? [{ ...secret, at: secret.at - start }] : [];
  });
}
