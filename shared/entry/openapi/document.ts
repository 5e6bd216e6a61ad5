import { zodToOpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { createRoute, OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import * as z from "zod";
import { type ErrorCode, notFound, statusOf } from "../../kernel/errors.ts";
import type { GroupManifest } from "../../ports/manifest.ts";
import { PERMISSIONS } from "../../runtime/access/permissions.ts";
import { PLANS, planLimit } from "../../runtime/access/plans.ts";
import { sendsContentTag } from "../../runtime/http/content-tag.ts";
import { describeDeprecations } from "../../runtime/http/deprecation.ts";
import {
  countsVisitors,
  isRepeatable,
  parametersOf,
  type RefusalForm,
  type Route,
  type RouteDefinition,
  type RouteGroup,
} from "../../runtime/http/group.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../../runtime/http/idempotency.ts";
import { Pagination } from "../../runtime/schemas/fields.ts";
import { describeFields } from "./descriptions.ts";
import { addExamples } from "./examples.ts";
import type { FieldDescriptions } from "./fields.ts";
import { kindOf } from "./kinds.ts";
import { mergeSamePaths, shareParameters } from "./paths.ts";
import { describeNames } from "./requests.ts";
import { allowNulls, asPlain } from "./schema.ts";
import { TAG_GROUPS } from "./tags.ts";

/**
 * A group with the exports of its `schemas.ts`, whose names are those of the schemas in the document, and the
 * descriptions of its `fields.ts`.
 */
export interface DocumentedGroup {
  routes: RouteGroup;
  schemas: Record<string, unknown>;
  fields?: FieldDescriptions | undefined;
}

/** The document as JSON; built only at build time, so the running service does not load the generator. */
export type OpenApiDocument = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

type Responses = RouteConfig["responses"];

const DESCRIPTION = `Stores what agents should remember, and finds it again.

A response is \`{success, data, meta}\` unless its schema shows another form; an error is
\`{success, error: {code, message, details}, meta}\`, or RFC 9457's form with \`Accept: application/problem+json\`.
Send an API key in \`X-API-Key\`, or a bearer token in
\`Authorization\`. Each operation names the permission that it needs (\`x-permission\`); \`X-Permission\` restricts a
request to one permission and never grants one. Undocumented fields and query parameters are refused by name; aliases
are documented as such. A PUT accepts the fields that only the response of GET has, if they are unchanged; fields with
\`x-measured\` may have any value. A response has at most 5.9 MB, including the backslashes of escaped characters. A
longer list is refused with \`PAYLOAD_TOO_LARGE\` and never truncated; \`max_limit\` in the error's details is the
number of its items that fit. Trailing slashes are accepted. The routes tagged \`compatibility\` are those of mem0, whose
clients send the key as \`Authorization: Token\`; their errors repeat the message in \`detail\`.`;

const HEADERS = {
  RequestId: ["X-Request-Id", "Identifies the request in the log; report it with a problem.", "string"],
  ETag: ["ETag", "The version as an ETag; send it as If-Match.", "string"],
  ContentTag: ["ETag", "A digest of the content; send it as If-None-Match. Absent if the answer is long.", "string"],
  RateLimit: ["RateLimit", "The rest of the tightest limit: r requests; it is full again after t seconds.", "string"],
  RateLimitPolicy: ["RateLimit-Policy", "The tightest limit: q requests per window of w seconds.", "string"],
  Link: ["Link", 'The address of the next page, with `rel="next"`, if there is one.', "string"],
  Deprecation: ["Deprecation", "Since when what the request uses is deprecated, as a Unix time (RFC 9745).", "string"],
  Sunset: ["Sunset", "The date when it ends (RFC 8594).", "string"],
  Location: ["Location", "Address of the download.", "string"],
  RetryAfter: ["Retry-After", "Seconds until the next request can be accepted.", "integer"],
  IdempotentReplayed: ["Idempotent-Replayed", "`true` if the response repeats that of the first request.", "string"],
} as const;

const PARAMETERS = {
  XPermission: [
    "X-Permission",
    "Restricts the request to this permission, which the credential must have.",
    { $ref: "#/components/schemas/Permission" },
  ],
  IdempotencyKey: [
    "Idempotency-Key",
    "Within 24 hours, the same key and body return the response of the first request.",
    { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
  ],
  IfMatch: [
    "If-Match",
    "An ETag. If the resource has another version, the request fails with 412.",
    { type: "string" },
  ],
  IfNoneMatch: [
    "If-None-Match",
    "The ETag of an answer that you have. If the content is the same, the response is 304 without a body.",
    { type: "string" },
  ],
} as const;

const ErrorAnswer = z.object({
  success: z.literal(false),
  error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }),
  detail: z.string().optional().describe("The message again, where mem0 clients expect it; compatibility routes only."),
  meta: z.object({ request_id: z.string(), timestamp: z.iso.datetime() }),
});

const Permission = z.enum(PERMISSIONS).describe("A permission of a credential.");

const Meta = z.object({ request_id: z.string(), processing_time_ms: z.int() });

/** The OpenAPI 3.1 document of the groups. Throws if two schemas have one name or if there is no route. */
export function buildDocument(groups: DocumentedGroup[], version: string): OpenApiDocument {
  const app = new OpenAPIHono();
  nameSchemas(app, { ErrorAnswer, Pagination, Meta, Permission }, ...groups.map(({ schemas }) => schemas));
  describeCommonParts(app);
  const errors = new ErrorResponses(app);
  const ordered = groups.toSorted((a, b) => positionOf(a) - positionOf(b));
  for (const { routes } of ordered) {
    const { manifest } = routes;
    for (const route of routes.routes) app.openAPIRegistry.registerPath(describe(route, manifest, errors));
  }
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Memory Service",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/", description: "The host that serves this document" }],
    tags: ordered.map(({ routes }) => {
      const name = tagOf(routes.manifest);
      return { name, description: TAGS[name] };
    }),
    "x-tagGroups": TAG_GROUPS.map(({ name, tags }) => ({ name, tags: Object.keys(tags) })),
  });
  if (Object.keys(document.paths ?? {}).length === 0) throw new Error("there is no route to document");
  describeNames(asPlain(document));
  const complete = withoutUnused(document);
  const plain = asPlain(complete);
  allowNulls(plain);
  describeFields(
    plain,
    groups.flatMap(({ fields }) => (fields === undefined ? [] : [fields])),
  );
  addExamples(plain);
  mergeSamePaths(plain);
  shareParameters(plain);
  return complete;
}

const TAGS: Readonly<Record<string, string>> = Object.assign({}, ...TAG_GROUPS.map(({ tags }) => tags));

/** The position of a group in the document; groups without a tag group come last. */
function positionOf({ routes }: DocumentedGroup): number {
  const position = Object.keys(TAGS).indexOf(tagOf(routes.manifest));
  return position < 0 ? Number.MAX_SAFE_INTEGER : position;
}

/** Names the schemas themselves, not copies, so that every schema that contains one refers to it. */
function nameSchemas(app: OpenAPIHono, ...modules: Record<string, unknown>[]): void {
  const named = new Map<string, z.ZodType>();
  for (const [name, schema] of modules.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.ZodType)) continue;
    const other = named.get(name);
    if (other === schema) continue;
    if (other) throw new Error(`two groups export a schema '${name}'; give one another name`);
    named.set(name, schema);
    zodToOpenAPIRegistry.add(schema, { _internal: { refId: name } });
    app.openAPIRegistry.register(name, schema);
  }
}

function describeCommonParts({ openAPIRegistry }: OpenAPIHono): void {
  for (const [key, [, description, type]] of Object.entries(HEADERS)) {
    openAPIRegistry.registerComponent("headers", key, { description, schema: { type } });
  }
  for (const [key, [name, description, schema]] of Object.entries(PARAMETERS)) {
    openAPIRegistry.registerComponent("parameters", key, { name, in: "header", description, schema });
  }
  openAPIRegistry.registerComponent("securitySchemes", "ApiKey", { type: "apiKey", in: "header", name: "X-API-Key" });
  openAPIRegistry.registerComponent("securitySchemes", "Bearer", { type: "http", scheme: "bearer" });
  openAPIRegistry.registerComponent("responses", UNCHANGED, {
    description: "The content is that of the ETag in If-None-Match.",
    headers: headersOf("RequestId", "ContentTag", "RateLimit", "RateLimitPolicy"),
  });
}

function describe(route: Route, manifest: GroupManifest, errors: ErrorResponses): RouteConfig {
  const { definition } = route;
  const { method, path, name, summary, query, body, form } = definition;
  const params = parametersOf(path);
  return createRoute({
    method,
    path,
    operationId: name,
    summary,
    description: [explain(route, manifest), describeDeprecations(definition) ?? []].flat().join(" "),
    ...(definition.deprecated && { deprecated: true }),
    tags: [tagOf(manifest)],
    security: route.isPublic ? [] : [{ ApiKey: [] }, { Bearer: [] }],
    parameters: headerParametersOf(route).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    ...(route.isPublic ? {} : { "x-permission": route.definition.permission }),
    ...(definition.limit && { "x-rate-limit": definition.limit }),
    request: {
      params: params.length > 0 ? z.object(Object.fromEntries(params.map((each) => [each, z.string()]))) : undefined,
      query,
      body: form
        ? bodyOf(form)
        : body && { content: { [mediaTypeOf(definition)]: { schema: body } }, required: !body.safeParse({}).success },
    },
    responses: {
      [definition.status ?? 200]: successOf(route),
      ...(definition.redirects ? { 303: REDIRECTION } : {}),
      ...(sendsContentTag(definition) ? { 304: { $ref: `#/components/responses/${UNCHANGED}` } } : {}),
      ...errors.of(route),
    },
  });
}

/** The tag that groups the operations in the document. */
function tagOf({ name, compatibility }: GroupManifest): string {
  return compatibility ? "compatibility" : name;
}

function mediaTypeOf({ isUrlEncoded }: RouteDefinition): string {
  return isUrlEncoded ? "application/x-www-form-urlencoded" : "application/json";
}

function bodyOf(form: z.ZodObject) {
  const file = z.string().meta({ format: "binary", description: "With a file name." });
  return { content: { "multipart/form-data": { schema: form.extend({ file }) } }, required: true };
}

function explain(route: Route, manifest: GroupManifest): string {
  if (route.isPublic) return "Public: needs no credential.";
  const { permission, limit, allowsAgentKeys } = route.definition;
  const held = permission === "any" ? "Needs any valid credential." : `Needs the permission \`${permission}\`.`;
  const isForAgents = manifest.allowsAgentKeys === true && allowsAgentKeys !== false;
  const needs = isForAgents ? held : `${held} Refuses keys made for an agent.`;
  if (!limit) return `${needs} Counts against the plan's general limit.`;
  const perMinute = PLANS.map((plan) => `${planLimit(plan, limit) ?? "unlimited"} (${plan})`).join(", ");
  return `${needs} Requests a minute, besides the plan's general limit: ${perMinute}.`;
}

function headerParametersOf({ isPublic, definition }: Route): (keyof typeof PARAMETERS)[] {
  if (isPublic) return [];
  return [
    "XPermission",
    ...(isRepeatable(definition) ? (["IdempotencyKey"] as const) : []),
    ...(definition.conditional ? (["IfMatch"] as const) : []),
    ...(sendsContentTag(definition) ? (["IfNoneMatch"] as const) : []),
  ];
}

function headersOf(...keys: (keyof typeof HEADERS)[]) {
  return Object.fromEntries(keys.map((key) => [HEADERS[key][0], { $ref: `#/components/headers/${key}` }]));
}

function successOf({ isPublic, definition }: Route): Responses[string] {
  const headers = headersOf(
    "RequestId",
    ...(isPublic ? [] : (["RateLimit", "RateLimitPolicy"] as const)),
    ...(isList(definition) ? (["Link"] as const) : []),
    ...(definition.versioned ? (["ETag"] as const) : []),
    ...(sendsContentTag(definition) ? (["ContentTag"] as const) : []),
    ...(describeDeprecations(definition) ? (["Deprecation", "Sunset"] as const) : []),
    ...(!isPublic && isRepeatable(definition) ? (["IdempotentReplayed"] as const) : []),
  );
  return { description: definition.summary, headers, content: contentOf(definition) };
}

/** Whether a GET answers a page of a list. */
function isList({ method, answer }: RouteDefinition): boolean {
  return method === "get" && answer instanceof z.ZodObject && "pagination" in answer.shape;
}

const REDIRECTION: Responses[string] = {
  description: "Too large for a response: download it from a temporary link that needs no credential.",
  headers: headersOf("RequestId", "Location"),
};

/** The name of the response to a request whose If-None-Match names the content. */
const UNCHANGED = "NotModified";

function contentOf({ answer, bare, produces }: RouteDefinition) {
  if (answer === "raw") return otherForms(produces ?? "application/octet-stream");
  const schema = bare ? answer : z.object({ success: z.literal(true), data: answer, meta: Meta });
  return { "application/json": { schema }, ...otherForms(produces ?? []) };
}

function otherForms(produces: string | string[]) {
  return Object.fromEntries([produces].flat().map((type) => [type, {}]));
}

/** Error responses by their codes; routes with the same codes share one. */
class ErrorResponses {
  readonly #app: OpenAPIHono;
  readonly #known = new Set<string>();

  constructor(app: OpenAPIHono) {
    this.#app = app;
  }

  of(route: Route): Responses {
    const byStatus = Map.groupBy(errorCodesOf(route), statusOf);
    const { definition } = route;
    return Object.fromEntries([...byStatus].map(([status, codes]) => [status, this.#responseWith(codes, definition)]));
  }

  #responseWith(codes: ErrorCode[], { name: route, refusal }: RouteDefinition) {
    const name = [...(refusal ? [route] : []), ...codes].join(".");
    if (!this.#known.has(name)) {
      this.#known.add(name);
      this.#app.openAPIRegistry.registerComponent("responses", name, errorResponse(codes, refusal));
    }
    return { $ref: `#/components/responses/${name}` };
  }
}

function errorResponse(codes: ErrorCode[], refusal: RefusalForm | undefined) {
  const envelope = { $ref: "#/components/schemas/ErrorAnswer" };
  const schema = refusal === undefined ? envelope : { anyOf: [envelope, referenceTo(refusal)] };
  const isRetried = codes.includes("RATE_LIMITED") || codes.includes("SERVICE_UNAVAILABLE");
  const isLimited = codes.includes("RATE_LIMITED");
  const keys = [
    "RequestId" as const,
    ...(isRetried ? (["RetryAfter"] as const) : []),
    ...(isLimited ? (["RateLimit", "RateLimitPolicy"] as const) : []),
  ];
  const description = codes.map((code) => `\`${code}\``).join(", ");
  return { description, "x-codes": codes, headers: headersOf(...keys), content: { "application/json": { schema } } };
}

/** Throws if the schema has no name. */
function referenceTo({ schema }: RefusalForm) {
  const name = zodToOpenAPIRegistry.get(schema)?._internal?.refId;
  if (name === undefined) throw new Error("export the schema of the refusal from the group's schemas.ts");
  return { $ref: `#/components/schemas/${name}` };
}

const IDEMPOTENCY_CODES = ["VALIDATION_ERROR", "CONFLICT", "REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const;

/**
 * Every code that a route may answer: those of the pipeline for its kind of route, NOT_FOUND of the resource that its
 * path names by `{id}`, and the verb's own.
 */
function errorCodesOf({ isPublic, definition }: Route): ErrorCode[] {
  const { method, path, form, conditional, answer, errors = [] } = definition;
  const codes: ErrorCode[] = [
    "VALIDATION_ERROR",
    ...(method === "get" ? [] : (["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
    ...(method === "get" || form ? [] : (["MALFORMED_JSON"] as const)),
    ...(isPublic ? [] : (["UNAUTHORIZED", "PERMISSION_DENIED"] as const)),
    ...(isPublic || definition.permission === "any" ? [] : (["PASSWORD_CHANGE_REQUIRED"] as const)),
    ...(!isPublic || countsVisitors(definition) ? (["RATE_LIMITED"] as const) : []),
    ...(isPublic || answer === "raw" ? [] : (["PAYLOAD_TOO_LARGE"] as const)),
    ...(isPublic ? [] : (["CONTENT_UNAVAILABLE"] as const)),
    ...(!isPublic && isRepeatable(definition) ? IDEMPOTENCY_CODES : []),
    ...(conditional ? (["PRECONDITION_FAILED", "VERSION_CONFLICT"] as const) : []),
    ...(isPublic ? [] : notFoundCodesOf(path)),
    ...errors,
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
  ];
  return [...new Set(codes)].sort();
}

/** The code for an unknown `{id}`: MEMORY_NOT_FOUND for `/memories/{id}/versions`. */
function notFoundCodesOf(path: string): ErrorCode[] {
  const [, collection = ""] = /([\w-]+)\/\{id\}/.exec(path) ?? [];
  const kind = kindOf(collection);
  return kind === undefined ? [] : [notFound(kind.replace(/[A-Z]/g, "_$&"), "").code];
}

/** Removes schemas and headers that no operation uses. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, headers = {}, ...rest } = document.components ?? {};
  const users = JSON.stringify([document.paths, rest]);
  const named = Object.entries(headers).filter(([name]) => users.includes(`"#/components/headers/${name}"`));
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas[name] ?? {});
    }
  };
  visit([document.paths, rest]);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  const components = { headers: Object.fromEntries(named), ...rest, schemas: Object.fromEntries(kept.sort()) };
  return { ...document, components };
}
