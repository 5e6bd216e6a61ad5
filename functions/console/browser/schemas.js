/**
 * What the API reference says of the schemas of the OpenAPI document.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {string} [description]
 * @property {string} [format]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema} [items]
 * @property {boolean | Schema} [additionalProperties]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [allOf]
 * @property {unknown[]} [enum]
 * @property {unknown[]} [examples]
 * @property {unknown} [default]
 * @property {string} [pattern]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 *
 * @typedef {object} Document
 * @property {{ title: string, version: string, description: string }} info
 * @property {{ name: string, description: string }[]} tags
 * @property {{ name: string, tags: string[] }[]} x-tagGroups
 * @property {Record<string, Record<string, import("./reference.js").Operation>>} paths
 * @property {object} components
 *
 * @typedef {{ name: string, required: boolean, schema: Schema }} Field
 */

/**
 * What a reference stands for; what is said beside the reference comes first.
 * @template {{ $ref?: string }} T
 * @param {Document} api
 * @param {T} value
 * @returns {T}
 */
export function resolve(api, value) {
  if (value.$ref === undefined) return value;
  const { $ref, ...beside } = value;
  /** @type {unknown} */
  let target = api;
  for (const step of $ref.slice("#/".length).split("/")) target = /** @type {Record<string, unknown>} */ (target)[step];
  return /** @type {T} */ ({ ...resolve(api, /** @type {T} */ (target)), ...beside });
}

/**
 * The fields of an object, or of the objects that a list, a map or alternatives consist of, without repetition.
 * @param {Document} api
 * @param {Schema | undefined} schema
 * @returns {Field[]}
 */
export function fieldsIn(api, schema) {
  if (!schema) return [];
  const { properties, required = [], items, additionalProperties, anyOf = [], allOf = [] } = resolve(api, schema);
  const own = Object.entries(properties ?? {}).map(([name, each]) => ({
    name,
    required: required.includes(name),
    schema: each,
  }));
  const inner = [
    items,
    ...anyOf,
    ...allOf,
    typeof additionalProperties === "object" ? additionalProperties : undefined,
  ];
  const all = [...own, ...inner.flatMap((each) => fieldsIn(api, each))];
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

/**
 * The type in words.
 * @param {Schema | undefined} schema
 * @returns {string}
 */
export function typeOf(schema) {
  if (!schema) return "anything";
  const { $ref, type, format, items, additionalProperties, anyOf, allOf } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (allOf) return allOf.map(typeOf).join(" and ");
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" or ");
  if (items) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === "object") return `object of ${typeOf(additionalProperties)}`;
  const name = [type ?? "anything"].flat().join(" or ");
  return format === undefined ? name : `${name} (${format})`;
}

/**
 * What restricts a value, in words.
 * @param {Schema} schema
 */
export function limitsOf(schema) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    ...rangeOf("", minimum, maximum),
    ...rangeOf(" characters", minLength, maxLength),
    ...rangeOf(" items", minItems, maxItems),
    ...(schema.pattern === undefined ? [] : [schema.pattern === "\\S" ? "not blank" : `pattern ${schema.pattern}`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

/**
 * @param {string} unit
 * @param {number | undefined} least
 * @param {number | undefined} most
 */
function rangeOf(unit, least, most) {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`at least ${least}${unit}`];
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
}
