import { invalid } from "../../kernel/errors.ts";
import {
  placeholderOf,
  type RedactedText,
  redact,
  type TakenSecret,
  withEarlier,
} from "../../language/secrets/redact.ts";
import type { Omission } from "../../language/statements/schemas.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import type { Write } from "../../ports/record-store.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import { audit, recordAudit } from "../../runtime/audit/audit.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import type { SecretPolicy } from "./secret-policies.ts";
import { readSecretPolicy } from "./secret-policy.ts";

/** What placeholders replaced in a text and its metadata. It is part of records alone, and of none under `redact`. */
export interface Sent {
  secrets: TakenSecret[];
  metadata?: JsonObject;
}

/** What was found in a text, for its audit record. It has no part of the text. */
export interface Detection {
  policy: SecretPolicy;
  types: string[];
  user_id: string | undefined;
}

/** The parts of a text that clients write. */
interface Given {
  content: string;
  metadata?: JsonObject | undefined;
  in_reply_to?: string | undefined;
  quote?: string | undefined;
  user_id?: string | undefined;
  /** Set for a text that was admitted before. */
  sent?: Sent | undefined;
}

/** A text as it may be read, embedded, indexed and stored. */
export interface Admitted<Text extends Given> {
  text: Text & Pick<Given, "sent">;
  leftOut: Omission[];
  /** Absent if nothing was found, and under `store`. */
  detection?: Detection;
}

/** The action of its audit record. */
export const SECRET_DETECTED = "secret.detected";

type Admitting = OrgRuntime & { principal?: Principal };

/**
 * The one place where texts enter: every door passes it before a text is read, embedded, indexed or stored. Returns the
 * text with `[REDACTED:type]` in place of its secrets and, under `mask`, what they replaced. The policy is read only if
 * there are any. Throws VALIDATION_ERROR under `block`.
 */
export async function admit<Text extends Given>(runtime: Admitting, text: Text): Promise<Admitted<Text>> {
  const taken = takeOut(text);
  if (taken.types.length === 0) return { text, leftOut: [] };
  const { types } = taken;
  const policy = await readSecretPolicy(runtime, text.user_id);
  if (policy === "store") return { text, leftOut: [] };
  const detection = { policy, types, user_id: text.user_id };
  if (policy === "block") throw await refusal(runtime, detection);
  return { text: taken.under(policy), leftOut: policy === "redact" ? omissionsOf(types) : [], detection };
}

/** Takes the secrets out of a text: returns their types, and the text as a policy stores it. */
export function takeOut<Text extends Given>(text: Text) {
  const { content, metadata, in_reply_to, quote, sent } = text;
  const redacted = redact(content);
  const [reply, quoted] = [in_reply_to, quote].map((part) => (part === undefined ? undefined : redact(part)));
  const about = metadata === undefined ? undefined : redactMetadata(metadata);
  const all = [redacted, reply, quoted, about].flatMap((part) => part?.secrets ?? []);
  const under = (policy: "mask" | "redact"): Admitted<Text>["text"] => {
    const secrets = withEarlier(redacted, sent?.secrets ?? []);
    const sentMetadata = sent?.metadata ?? (about && about.secrets.length > 0 ? metadata : undefined);
    const hidden = { secrets, ...(sentMetadata && { metadata: sentMetadata }) };
    return {
      ...text,
      content: redacted.text,
      ...(about && { metadata: about.metadata }),
      ...(reply && { in_reply_to: reply.text }),
      ...(quoted && { quote: quoted.text }),
      sent: policy === "mask" && (secrets.length > 0 || sentMetadata) ? hidden : undefined,
    };
  };
  return { types: all.map(({ type }) => type), under };
}

function omissionsOf(types: string[]): Omission[] {
  return types.map((type) => ({ text: placeholderOf(type), reason: "secret" }));
}

/** Records that a text was refused, and returns the error. */
async function refusal(runtime: Admitting, { policy, types, user_id }: Detection): Promise<Error> {
  const details = detailsOf({ policy, types, user_id });
  await recordAudit(runtime, { action: SECRET_DETECTED, outcome: "refused", details });
  const named = [...new Set(types)].join(", ");
  return invalid({
    field: "content",
    problem: `contains what the organization's policy for secrets refuses: ${named}. Send the text without it`,
  });
}

function detailsOf({ policy, types, user_id }: Detection): JsonObject {
  const counts = Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length]));
  return { policy, types: counts, ...(user_id !== undefined && { user_id }) };
}

/** Returns the write that records a detection, of which webhooks are notified too; `target` is a resource's id. */
export function auditDetection(runtime: Admitting, detection: Detection | undefined, target?: string): Write[] {
  if (detection === undefined) return [];
  runtime.logger.info("SECRET_DETECTED", {
    org: runtime.org,
    policy: detection.policy,
    types: detection.types,
    target,
  });
  return [audit(runtime, { action: SECRET_DETECTED, ...(target && { target }), details: detailsOf(detection) })];
}

/** Records a detection without other writes. */
export async function recordDetection(runtime: Admitting, detection: Detection | undefined, target?: string) {
  const writes = auditDetection(runtime, detection, target);
  if (writes.length > 0) await runtime.ports.records.write(...writes);
}

/** Replaces the secrets in the strings of metadata; the name of a field says what its value is. */
function redactMetadata(metadata: JsonObject): Pick<RedactedText, "secrets"> & { metadata: JsonObject } {
  const secrets: TakenSecret[] = [];
  const visit = (value: Json, name: string): Json => {
    if (typeof value === "string") {
      const label = `${name}: `;
      const found = redact(label + value, { isData: true });
      if (found.secrets.length === 0 || !found.text.startsWith(label)) return value;
      secrets.push(...found.secrets);
      return found.text.slice(label.length);
    }
    if (Array.isArray(value)) return value.map((each) => visit(each, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visit(each as Json, key)]));
  };
  const redacted = visit(metadata, "") as JsonObject;
  return { secrets, metadata: secrets.length === 0 ? metadata : redacted };
}
