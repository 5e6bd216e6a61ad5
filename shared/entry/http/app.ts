import { Hono, type Context as HonoContext } from "hono";
import { parseAccept } from "hono/utils/accept";
import * as z from "zod";
import { countRequest } from "../../domain/identity/activity.ts";
import { type Credential, credentialIn } from "../../domain/identity/credential.ts";
import { limitVisitor } from "../../domain/identity/sign-in-limits.ts";
import { isTooLong, tooLong } from "../../kernel/answer-size.ts";
import { publicUrlOf } from "../../kernel/config.ts";
import { sha256 } from "../../kernel/digest.ts";
import { type ErrorCode, ServiceError, statusOf } from "../../kernel/errors.ts";
import { withFields } from "../../kernel/logger.ts";
import { rounded } from "../../kernel/math.ts";
import { OutOfSpaceError } from "../../ports/errors.ts";
import type { GroupManifest } from "../../ports/manifest.ts";
import { covers, isPermission, requirePermission } from "../../runtime/access/permissions.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import { RateLimiter } from "../../runtime/access/rate-limit.ts";
import { challengeOf, resourceOf } from "../../runtime/access/resource.ts";
import { type Context, onBehalfOf, type Runtime, restrictPorts } from "../../runtime/context.ts";
import { refuseWhileBacklogged } from "../../runtime/http/backlog.ts";
import { contentTagOf, isKnown, MAX_TAGGED_LENGTH, sendsContentTag } from "../../runtime/http/content-tag.ts";
import { allowOrigins } from "../../runtime/http/cors.ts";
import { announceDeprecations, type Deprecation, deprecationsIn } from "../../runtime/http/deprecation.ts";
import { failure, jsonResponse, notModified, rateLimitHeaders, success } from "../../runtime/http/envelope.ts";
import {
  countsVisitors,
  type GuardedRouteDefinition,
  isRepeatable,
  type PublicRouteDefinition,
  parameterAt,
  parametersOf,
  type RefusalForm,
  type Route,
  type RouteDefinition,
  type RouteGroup,
  type RouteInput,
  shapeOf,
} from "../../runtime/http/group.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH, runIdempotently } from "../../runtime/http/idempotency.ts";
import { linkToNext } from "../../runtime/http/next-page.ts";
import { addressOf, isFromProxy } from "../../runtime/http/origin.ts";
import { problemDetails } from "../../runtime/http/problem.ts";
import { type Current, withoutReadOnly } from "../../runtime/http/read-only.ts";
import {
  MAX_PUBLIC_BODY_BYTES,
  parseUrlEncoded,
  readBody,
  readIfMatch,
  readParameters,
  refuseBody,
} from "../../runtime/http/request.ts";
import { securityHeaders } from "../../runtime/http/security-headers.ts";
import { stopping } from "../../runtime/http/stopping.ts";
import { parseJson, validate, validateNamed } from "../../runtime/schemas/validate.ts";
import { toServiceError } from "../../runtime/service-error.ts";
import { type TracedRequest, Traffic } from "../../runtime/stats/traffic.ts";

/** The input of a route that declares no names. */
const NOTHING = z.object({});

/** The route name under which unmatched requests are logged and counted. */
const NO_ROUTE = "none";

/** Path of the liveness check, which responds as long as the process runs. */
const LIVENESS_PATH = "/health";

/** One request on its way through the pipeline. */
interface Exchange {
  http: HonoContext;
  mount: Mount;
  credential: Credential | undefined;
  requestId: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** The same time in milliseconds of `performance.now()`, to measure the duration. */
  beganAt: number;
  /** The code of the error response. */
  code?: ErrorCode;
  /** Whether the request failed with anything but a ServiceError, so that its changes may or may not be stored. */
  outcomeUnknown: boolean;
  /** Of the route and of the fields that the request names. */
  deprecations?: Deprecation[];
}

/**
 * Waits until a request may start. Returns a function that receives the response status. Throws if the request cannot
 * wait.
 */
export type Admission = (
  credential: Credential | undefined,
  address: string | undefined,
) => Promise<(status: number) => void>;

export interface AppOptions {
  /** Called for each request that was served. */
  measure?: (served: TracedRequest) => void;
  /** Called before a request's body is read. By default every request starts at once. */
  admit?: Admission;
  /** Whether the process is stopping and refuses new requests. */
  isStopping?: () => boolean;
  /** Origins of pages that may call the service (CORS). */
  allowedOrigins?: string[] | undefined;
}

/** What a route needs to serve requests. */
interface Mount {
  runtime: Runtime;
  admit: Admission | undefined;
  limiter: RateLimiter;
  count(served: TracedRequest): void;
  manifest: GroupManifest;
  /** Name of the route in logs and counts: `GET /memories/{id}`. */
  name: string;
  /** Names of the path's parameters. */
  parameters: string[];
  /** For a PUT or PATCH, the route that reads the same resource. */
  reader: GuardedRoute | undefined;
}

type GuardedRoute = Extract<Route, { isPublic: false }>;

/** Serves the groups' routes: the same pipeline in a Lambda function (one group) and on one machine (all of them). */
export function createApp(
  groups: RouteGroup[],
  runtime: Runtime,
  { measure, admit, isStopping, allowedOrigins }: AppOptions = {},
): Hono {
  const prefix = URL.parse(publicUrlOf(runtime.config))?.pathname ?? "/";
  const app = new Hono({ getPath: (request) => withoutPrefix(pathWithoutTrailingSlash(request), prefix) });
  const limiter = new RateLimiter(runtime.ports.records, runtime.clock, runtime.logger);
  const traffic = openTraffic(groups, runtime);
  const count = (served: TracedRequest) => {
    traffic?.count(served);
    measure?.(served);
  };
  app.use(securityHeaders(runtime.config));
  if (allowedOrigins !== undefined) app.use(allowOrigins(allowedOrigins));
  const compatible = groups.flatMap(({ manifest }) => (manifest.compatibility ? manifest.prefixes : []));
  const isCompatible = (path: string) => compatible.some((prefix) => `${path}/`.startsWith(`${prefix}/`));
  const refuse: Refuse = ({ req }, error) => refusal({ runtime, count }, error, isCompatible(req.path));
  app.use(problemDetails());
  if (isStopping) refuseWhileStopping(app, refuse, isStopping);
  requireOriginSecret(app, refuse, runtime.config);
  const mounted = groups.flatMap((group) => {
    const { manifest } = group;
    const ports = restrictPorts(runtime.ports, manifest.capabilities, manifest.name);
    return group.routes.map((route) => {
      const method = route.definition.method.toUpperCase();
      const name = `${method} ${route.definition.path}`;
      const parameters = parametersOf(route.definition.path);
      const reader = readerOf(route.definition, group);
      const shared = { admit, limiter, count, manifest };
      return { route, method, mount: { runtime: { ...runtime, ports }, ...shared, name, parameters, reader } };
    });
  });
  // Paths that differ only in the names of their parameters are one path.
  const byPath = Map.groupBy(mounted, ({ route }) => shapeOf(route.definition.path));
  // Fixed paths come first, so that `/memories/stats` never matches as the memory 'stats', for any method.
  const fixedFirst = [...byPath].sort(([a], [b]) => parametersOf(a).length - parametersOf(b).length);
  for (const [path, routes] of fixedFirst) {
    for (const { route, method, mount } of routes) {
      app.on(method, toHonoPath(path), (http) => serve(route, mount, http));
    }
    const allowed = routes.map(({ method }) => method);
    const withDetail = routes.some(({ mount }) => mount.manifest.compatibility);
    refuseOtherMethods(app, path, allowed, { runtime, count }, withDetail);
  }
  for (const { path, reason } of groups.flatMap(({ notOffered }) => notOffered)) {
    app.all(toHonoPath(path), (http) => refuse(http, new ServiceError("NOT_OFFERED", reason)));
  }
  app.notFound((http) =>
    refuse(http, new ServiceError("NOT_FOUND", "The path does not exist. See GET /openapi.json.")),
  );
  // Routes answer their own errors; this handles everything else that the runtime serves, such as blob links.
  app.onError((thrown, http) => refuse(http, toServiceError(thrown, runtime.logger)));
  return app;
}

/** Returns the GET route of the resource that a PUT or PATCH changes. */
function readerOf({ method, path }: RouteDefinition, group: RouteGroup): GuardedRoute | undefined {
  if (method !== "put" && method !== "patch") return undefined;
  const isReader = (route: Route): route is GuardedRoute =>
    !route.isPublic && route.definition.method === "get" && route.definition.path === path;
  return group.routes.find(isReader);
}

/** Returns the counter of requests, which stores its counts as records; undefined without a record store. */
function openTraffic(groups: RouteGroup[], { rollups, clock, authenticator }: Runtime): Traffic | undefined {
  if (!groups.some(({ manifest }) => manifest.capabilities.includes("records"))) return undefined;
  const traffic = new Traffic(clock, () => authenticator.cacheUse);
  rollups.addSource(traffic);
  return traffic;
}

function pathWithoutTrailingSlash(request: Request): string {
  const start = request.url.indexOf("/", request.url.indexOf("://") + 3);
  const query = request.url.indexOf("?", start);
  const path = start < 0 ? "/" : request.url.slice(start, query < 0 ? undefined : query);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/**
 * RFC 8414 and RFC 9728 put the prefix of the public URL behind the name of the document, at the root of the host, where
 * a proxy cannot remove it as it does elsewhere.
 */
function withoutPrefix(path: string, prefix: string): string {
  if (prefix === "/" || !path.startsWith("/.well-known/")) return path;
  const [, name = "", rest = ""] = /^(\/\.well-known\/[^/]+)(.*)$/.exec(path) ?? [];
  return `${rest}/`.startsWith(`${prefix}/`) ? name + rest.slice(prefix.length) : path;
}

function toHonoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/**
 * Logs and counts a request that is refused before a route serves it, and returns the error response. The path is not
 * logged, because it may contain a secret. `withDetail` adds the message where mem0 clients expect it.
 */
function refusal(
  { runtime, count }: Pick<Mount, "runtime" | "count">,
  error: ServiceError,
  withDetail: boolean | undefined,
): Response {
  const requestId = runtime.ids("request");
  const response = failure(error, requestId, runtime.clock(), { withDetail });
  const { status } = response;
  const line = { request_id: requestId, route: NO_ROUTE, status, duration_ms: 0, code: error.code };
  runtime.logger[levelOf(status)]("REQUEST", line);
  count({ route: NO_ROUTE, status, durationMs: 0, startedAt: runtime.clock() });
  return response;
}

/** Returns the error response to a request that no route serves. */
type Refuse = (http: HonoContext, error: ServiceError) => Response;

/** A stopping process still answers liveness checks, but it is no longer ready. */
function refuseWhileStopping(app: Hono, refuse: Refuse, isStopping: () => boolean): void {
  app.use(async (http, next) => {
    if (!isStopping() || http.req.path === LIVENESS_PATH) return next();
    return refuse(http, stopping());
  });
}

/** Without this check, a client that bypasses the proxy could forge its address and skip the firewall. */
function requireOriginSecret(app: Hono, refuse: Refuse, config: Runtime["config"]): void {
  const hashes = config.ORIGIN_SECRET_HASHES;
  if (hashes === undefined) return;
  const message = `The service does not answer at this address. Send the request to ${publicUrlOf(config)}.`;
  app.use(async (http, next) => {
    if (isFromProxy(http, hashes)) return next();
    return refuse(http, new ServiceError("PERMISSION_DENIED", message));
  });
}

function refuseOtherMethods(
  app: Hono,
  path: string,
  allowed: string[],
  mount: Pick<Mount, "runtime" | "count">,
  withDetail: boolean,
): void {
  const allow = allowed.join(", ");
  app.all(toHonoPath(path), () => {
    const error = new ServiceError("METHOD_NOT_ALLOWED", `This path allows ${allow}.`, { allow });
    const response = refusal(mount, error, withDetail);
    response.headers.set("Allow", allow);
    return response;
  });
}

async function serve(route: Route, mount: Mount, http: HonoContext): Promise<Response> {
  const base = mount.runtime;
  const requestId = base.ids("request");
  const startedAt = base.clock();
  const credential = credentialIn(http.req.raw.headers);
  const exchange: Exchange = {
    http,
    mount,
    credential,
    requestId,
    startedAt,
    beganAt: performance.now(),
    outcomeUnknown: false,
  };
  const address = addressOf(http, base.config.TRUSTED_PROXIES);
  const logger = withFields(base.logger, { service: mount.manifest.name, request_id: requestId });
  // Read on demand, so that other requests do not pay for the signal and the parsed URL.
  const request = {
    id: requestId,
    address,
    get path() {
      return new URL(http.req.url).pathname;
    },
    get signal() {
      return http.req.raw.signal;
    },
  };
  const runtime: Runtime = { ...base, logger, request };
  let principal: Principal | undefined;
  let reportStatus: ((status: number) => void) | undefined;
  const refusal = route.isPublic ? route.definition.refusal : undefined;
  const respond = async () => {
    reportStatus = await mount.admit?.(credential, address);
    if (route.isPublic) {
      await admitVisitor(runtime, route.definition);
      const own = { ...runtime, authenticate: async () => (principal = await identify(runtime, exchange)) };
      const definition = { maxBodyBytes: MAX_PUBLIC_BODY_BYTES, ...route.definition };
      return answer(definition, exchange, runtime, (input) => route.handler(own, input));
    }
    principal = await authenticate(runtime, exchange);
    return serveGuarded(route.definition, route.handler, contextOf(runtime, principal), exchange);
  };
  const response = await withErrorResponse(runtime, exchange, respond, refusal);
  // Error responses already have this header; other responses do not.
  response.headers.set("X-Request-Id", requestId);
  const { deprecated } = route.definition;
  const deprecations = [...(deprecated ? [deprecated] : []), ...(exchange.deprecations ?? [])];
  announceDeprecations(response.headers, deprecations);
  finish(runtime, exchange, principal, response.status);
  reportStatus?.(response.status);
  return response;
}

/** Counts a request to a public route against its visitor limit before the body is read. */
async function admitVisitor(runtime: Runtime, definition: PublicRouteDefinition): Promise<void> {
  definition.admit?.();
  if (countsVisitors(definition)) await limitVisitor(runtime, definition.visitorLimit);
}

async function serveGuarded(
  definition: GuardedRouteDefinition,
  handler: GuardedRoute["handler"],
  ctx: Context,
  exchange: Exchange,
): Promise<Response> {
  const { limiter, manifest, reader } = exchange.mount;
  const allowsAgents = manifest.allowsAgentKeys && definition.allowsAgentKeys !== false;
  if (ctx.viewer !== undefined && !allowsAgents) throw notForAgents();
  ctx.principal = { ...ctx.principal, permissions: effectivePermissions(ctx.principal, exchange.http) };
  if (definition.permission !== "any") requirePermission(ctx.principal, definition.permission);
  if (mayAddDocuments(definition)) refuseWhileBacklogged(ctx);
  const limits = await limiter.take(ctx.principal, definition.limit);
  ctx.countOperation = async (operation) => void (await limiter.take(ctx.principal, operation));
  const current = reader && currentOf(reader, ctx);
  const run = () =>
    withErrorResponse(
      ctx,
      exchange,
      () => answer(definition, exchange, ctx, (input) => handler(ctx, input), current),
      definition.refusal,
    );
  const key = exchange.http.req.header("idempotency-key");
  const response =
    key !== undefined && isRepeatable(definition) ? await runOnce(ctx, definition, key, exchange, run) : await run();
  // If the handler itself hit a rate limit, the headers describe that limit.
  const isRefused = response.status === statusOf("RATE_LIMITED");
  for (const [name, value] of Object.entries(limits && !isRefused ? rateLimitHeaders(limits) : {})) {
    response.headers.set(name, value);
  }
  return response;
}

/** Returns a reader of the resource's current state; undefined if the caller may not read it. */
function currentOf({ definition, handler }: GuardedRoute, ctx: Context): ((params: object) => Current) | undefined {
  const { answer, permission, query = NOTHING } = definition;
  if (answer === "raw" || (permission !== "any" && !covers(ctx.principal.permissions, permission))) return undefined;
  return (params) => ({
    answer,
    read: async () => answer.parse(await handler(ctx, { params, query: query.parse({}), body: {} } as never)),
  });
}

function contextOf(runtime: Runtime, principal: Principal): Context {
  const { org, agent } = principal;
  const ctx: Context = { ...runtime, org, viewer: undefined, principal };
  return agent === undefined ? ctx : onBehalfOf(ctx, agent);
}

function notForAgents(): ServiceError {
  return new ServiceError("PERMISSION_DENIED", "An agent's key cannot do this. Use a key of the organization.");
}

/** Authenticates a request. Throws PERMISSION_DENIED for a change that another site may have sent with a cookie. */
async function authenticate({ authenticator, config }: Runtime, { http, credential, mount }: Exchange) {
  if (credential?.mayBeForged && http.req.method !== "GET") {
    throw new ServiceError("PERMISSION_DENIED", "Send the session's csrf_token of GET /auth/session in X-CSRF-Token.");
  }
  return authenticator.authenticate(credential, resourceOf(config, mount.manifest.resource));
}

/** Authenticates a request to a public route; refuses agents' keys. */
async function identify(runtime: Runtime, exchange: Exchange): Promise<Principal> {
  const { http } = exchange;
  const principal = await authenticate(runtime, exchange);
  if (principal.agent !== undefined) throw notForAgents();
  return { ...principal, permissions: effectivePermissions(principal, http) };
}

/** Returns the principal's permissions, or only the one that X-Permission names. The header never grants one. */
function effectivePermissions(principal: Principal, http: HonoContext): Principal["permissions"] {
  const named = http.req.header("x-permission");
  if (named === undefined) return principal.permissions;
  if (!isPermission(named) || !covers(principal.permissions, named)) {
    throw new ServiceError("PERMISSION_DENIED", `The credential does not have '${named}', which X-Permission names.`, {
      required: named,
    });
  }
  return [named];
}

/** Runs a request with an Idempotency-Key; a repetition returns the stored response. */
async function runOnce(
  ctx: Context,
  { form, maxBodyBytes }: RouteDefinition,
  key: string,
  exchange: Exchange,
  run: () => Promise<Response>,
): Promise<Response> {
  if (key.length === 0 || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw new ServiceError("VALIDATION_ERROR", `Idempotency-Key takes 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`);
  }
  const { req } = exchange.http;
  const copy = req.raw.clone() as Request;
  const body = form ? await fingerprintOf(copy) : await readBody(copy, maxBodyBytes);
  const credential = exchange.credential?.secret ?? "";
  const request = { key, credential, method: req.method, path: req.path, body };
  return runIdempotently(ctx, request, async () => ({
    response: await run(),
    outcomeUnknown: exchange.outcomeUnknown,
  }));
}

/** Whether the request may store text that is embedded. */
function mayAddDocuments({ method, readOnly, permission }: GuardedRouteDefinition): boolean {
  return permission === "memory:write" && !readOnly && method !== "get" && method !== "delete";
}

/** Returns a fingerprint of a form's fields and file; the bodies of equal forms differ in their boundaries. */
async function fingerprintOf(request: Request): Promise<string> {
  const { readForm } = await import("../../runtime/http/multipart.ts");
  const { fields, file } = await readForm(request);
  const digest = sha256(file.bytes);
  return JSON.stringify([Object.entries(fields).sort(), file.name, file.content_type, digest]);
}

async function answer(
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
  const status = definition.status ?? 200;
  const content = JSON.stringify(data);
  const json = definition.bare ? content : success(content, exchange.requestId, exchange.startedAt, runtime.clock());
  if (isTooLong(json)) {
    runtime.logger.warn("ANSWER_TOO_LONG", { operation: definition.name, characters: json.length });
    throw tooLong(data, isChange);
  }
  // Weak, because the envelope around the content differs from answer to answer.
  const tag =
    sendsContentTag(definition) && content.length <= MAX_TAGGED_LENGTH ? `W/${contentTagOf(content)}` : undefined;
  const response =
    tag !== undefined && isKnown(tag, exchange.http.req.header("if-none-match"))
      ? notModified(tag)
      : jsonResponse(json, status, tag === undefined ? {} : { etag: tag });
  const next = definition.method === "get" ? linkToNext(exchange.http.req.raw.url, data) : undefined;
  if (next !== undefined) response.headers.set("Link", next);
  if (definition.versioned) response.headers.set("ETag", `"${(data as { version: number }).version}"`);
  return response;
}

async function readInput(
  {
    method,
    query = NOTHING,
    body = NOTHING,
    maxBodyBytes,
    isUrlEncoded,
    form,
    conditional,
    ignoresUnknownParameters,
    headers = [],
  }: RouteDefinition,
  { http: { req }, mount }: Exchange,
  current?: (params: object) => Current,
): Promise<Partial<RouteInput<unknown, unknown, unknown>>> {
  const given = ignoresUnknownParameters
    ? validateNamed(query, req.query())
    : validate(query, readParameters(req.queries()), "query parameter");
  if (form) return readUpload(form, req.raw);
  const params = Object.fromEntries(mount.parameters.map((name, index) => [name, req.param(parameterAt(index))]));
  return {
    params,
    query: given,
    body: await readBodyFields(
      req,
      { method, body, maxBodyBytes, isUrlEncoded, ignoresUnknownParameters },
      current?.(params),
    ),
    ifMatch: conditional && readIfMatch(req.header("if-match")),
    accepts: parseAccept(req.header("accept") ?? "").map(({ type }) => type.toLowerCase()),
    headers: Object.fromEntries(
      headers.flatMap((name) => {
        const value = req.header(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

type BodyOptions = Pick<
  RouteDefinition,
  "method" | "body" | "maxBodyBytes" | "isUrlEncoded" | "ignoresUnknownParameters"
>;

async function readBodyFields(
  req: HonoContext["req"],
  { method, body = NOTHING, maxBodyBytes, isUrlEncoded, ignoresUnknownParameters }: BodyOptions,
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

/** Runs a request and returns its response; a thrown error becomes an error response, in the form of `refusal`. */
async function withErrorResponse(
  runtime: Runtime,
  exchange: Exchange,
  run: () => Promise<Response>,
  refusal?: RefusalForm,
): Promise<Response> {
  try {
    return await run();
  } catch (thrown) {
    const error = toServiceError(thrown, runtime.logger);
    exchange.code = error.code;
    exchange.outcomeUnknown = error !== thrown;
    const { compatibility: withDetail, resource } = exchange.mount.manifest;
    const challenge = challengeOf(runtime.config, resource, exchange.credential !== undefined);
    const response = failure(error, exchange.requestId, runtime.clock(), { withDetail, challenge });
    return refusal === undefined ? response : new Response(JSON.stringify(refusal.toBody(error)), response);
  }
}

function levelOf(status: number): "info" | "error" {
  return status < 500 ? "info" : "error";
}

/** Logs the request in one line without its contents, and counts it. */
function finish(
  runtime: Runtime,
  { http, mount, startedAt, beganAt, code }: Exchange,
  principal: Principal | undefined,
  status: number,
): void {
  const { name: route, count } = mount;
  const durationMs = performance.now() - beganAt;
  const who = principal && { org: principal.org, principal: principal.id, user_id: principal.owner };
  const line = { route, status, duration_ms: rounded(durationMs, 1), ...(code && { code }), ...who };
  runtime.logger[levelOf(status)]("REQUEST", line);
  const traceparent = http.req.header("traceparent");
  count({ route, status, durationMs, startedAt, user: principal?.owner, ...(traceparent && { traceparent }) });
  if (principal) countRequest({ ...runtime, principal }, status < 400);
}
