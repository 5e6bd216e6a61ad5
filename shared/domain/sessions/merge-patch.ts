import type { Json, JsonObject } from "../../ports/ports.ts";

/** JSON Merge Patch (RFC 7396): objects merge member by member, null removes a member, anything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const known = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(isObject(known) ? known : {}, value) : value);
  }
  // Object.fromEntries creates own properties even for names such as `__proto__`.
  return Object.fromEntries(merged);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
