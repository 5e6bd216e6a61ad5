import type { Context as HonoContext } from "hono";
import { parseAccept } from "hono/utils/accept";
import { isTooLong, tooLong } from "../../kernel/answer-size.ts";
import { OutOfSpaceError } from "../../ports/errors.ts";
import type { Runtime } from "../../runtime/context.ts";
import { contentTagOf, isKnown, MAX_TAGGED_LENGTH, sendsContentTag } from "../../runtime/http/content-tag.ts";
import { deprecationsIn } from "../../runtime/http/deprecation.ts";
import { jsonResponse, notModified, success } from "../../runtime/http/envelope.ts";
import { parameterAt, type RouteDefinition, type RouteInput } from "../../runtime/http/group.ts";
import { linkToNext } from "../../runtime/http/next-page.ts";
import { type Current, withoutReadOnly } from "../../runtime/http/read-only.ts";
import { parseUrlEncoded, readBody, readIfMatch, readParameters, refuseBody } from "../../runtime/http/request.ts";
import { parseJson, validate, validateNamed } from "../../runtime/schemas/validate.ts";
import { type Exchange, NOTHING } from "./exchange.ts";

/** Reads a request's input, runs its handler, and returns the response in the form that the route declares. */
export async function answer(
  definition: RouteDefinition,
  exchange: Exchange,
  runtime: Runtime,
  handler: (input: never) => Promise<unknown>,
  current?: (params: object) => Current,
): Promise<Response> {
  const isChange = definition.method !== "get" && !definition.readOnly;
  if (isChange && definition.method !== "delete" && runtime.isShortOfRoom?.()) throw new OutOfSpaceError();
  const input = await readInput(definition, exchange, current);
  if (definition.deprecatedFields) {
    exchange.deprecations = deprecationsIn(definition.deprecatedFields, input.query, input.body);
  }
  const value = await handler(input as never);
  if (isChange) await runtime.drainChangeFeed();
  if (definition.answer === "raw" || value instanceof Response) return value as Response;
  const data = definition.answer.parse(value);
  const content = JSON.stringify(data);
  const json = definition.bare ? content : success(content, exchange.requestId, exchange.startedAt, runtime.clock());
  if (isTooLong(json)) {
    runtime.logger.warn("ANSWER_TOO_LONG", { operation: definition.name, characters: json.length });
    throw tooLong(data, isChange);
  }
  const { req } = exchange.http;
  const response = responseOf(definition, { content, json }, req.header("if-none-match"));
  const next = definition.method === "get" ? linkToNext(req.raw.url, data) : undefined;
  if (next !== undefined) response.headers.set("Link", next);
  if (definition.versioned) response.headers.set("ETag", `"${(data as { version: number }).version}"`);
  return response;
}

/** Returns the response with its content's tag; 304 without the content if the client knows it. */
function responseOf(
  definition: RouteDefinition,
  { content, json }: { content: string; json: string },
  known: string | undefined,
): Response {
  const { status = 200 } = definition;
  if (!sendsContentTag(definition) || content.length > MAX_TAGGED_LENGTH) return jsonResponse(json, status);
  // Weak, because the envelope around the content differs from answer to answer.
  const tag = `W/${contentTagOf(content)}`;
  return isKnown(tag, known) ? notModified(tag) : jsonResponse(json, status, { etag: tag });
}

async function readInput(
  definition: RouteDefinition,
  { http: { req }, mount }: Exchange,
  current?: (params: object) => Current,
): Promise<Partial<RouteInput<unknown, unknown, unknown>>> {
  const { query: schema = NOTHING, form, conditional, headers = [] } = definition;
  const query = definition.ignoresUnknownParameters
    ? validateNamed(schema, req.query())
    : validate(schema, readParameters(req.queries()), "query parameter");
  if (form) return readUpload(form, req.raw);
  const params = Object.fromEntries(mount.parameters.map((name, index) => [name, req.param(parameterAt(index))]));
  const sent = headers.map((name) => [name, req.header(name)]).filter(([, value]) => value !== undefined);
  return {
    params,
    query,
    body: await readBodyFields(req, definition, current?.(params)),
    ifMatch: conditional && readIfMatch(req.header("if-match")),
    accepts: parseAccept(req.header("accept") ?? "").map(({ type }) => type.toLowerCase()),
    headers: Object.fromEntries(sent),
  };
}

async function readBodyFields(
  req: HonoContext["req"],
  { method, body = NOTHING, maxBodyBytes, isUrlEncoded, ignoresUnknownParameters }: RouteDefinition,
  current: Current | undefined,
): Promise<unknown> {
  if (method === "get") {
    refuseBody(req.raw.headers);
    return {};
  }
  const text = await readBody(req.raw, maxBodyBytes);
  const parse = isUrlEncoded ? parseUrlEncoded : parseJson;
  // A missing body counts as an empty object, so that validation names the missing fields.
  const parsed = parse(text, req.header("content-type") ?? null);
  const sent = parsed === undefined ? {} : parsed;
  if (ignoresUnknownParameters) return validateNamed(body, sent);
  return validate(body, current ? await withoutReadOnly(body, current, sent) : sent);
}

async function readUpload(form: NonNullable<RouteDefinition["form"]>, request: Request): Promise<object> {
  const { readForm } = await import("../../runtime/http/multipart.ts");
  const { fields, file } = await readForm(request);
  return { fields: validate(form, fields, "form field"), file };
}
