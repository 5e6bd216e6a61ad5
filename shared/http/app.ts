import { Hono, type Context as HonoContext } from "hono";
import { parseAccept } from "hono/utils/accept";
import * as z from "zod";
import { countActivity } from "../identity/activity.ts";
import { type Credential, credentialIn } from "../identity/credential.ts";
import { covers, isPermission } from "../identity/permissions.ts";
import type { Principal } from "../identity/principal.ts";
import { RateLimiter } from "../identity/rate-limit.ts";
import { countUse } from "../identity/records.ts";
import { limitVisitor } from "../identity/sign-in-limits.ts";
import { isTooLong, tooLong } from "../kernel/answer-size.ts";
import { publicUrlOf } from "../kernel/config.ts";
import { sha256 } from "../kernel/digest.ts";
import { type ErrorCode, ServiceError, statusOf } from "../kernel/errors.ts";
import { withFields } from "../kernel/logger.ts";
import { rounded } from "../kernel/rounded.ts";
import { type Context, confine, type Home, onBehalfOf } from "../platform/context.ts";
import { OutOfSpaceError } from "../platform/errors.ts";
import { type Served, Traffic } from "../stats/traffic.ts";
import { allowOrigins } from "./cors.ts";
import { failure, jsonResponse, rateLimitHeaders, success, toServiceError } from "./envelope.ts";
import {
  countsVisitors,
  type GuardedRouteDefinition,
  isRepeatable,
  type PublicRouteDefinition,
  parameterAt,
  parametersOf,
  type Route,
  type RouteDefinition,
  type RouteGroup,
  shapeOf,
} from "./group.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH, once } from "./idempotency.ts";
import { addressOf, isFromProxy } from "./origin.ts";
import { type Current, withoutReadOnly } from "./read-only.ts";
import {
  MAX_PUBLIC_BODY_BYTES,
  parseJson,
  readBody,
  readIfMatch,
  readParameters,
  refuseBody,
  validate,
  validateNamed,
} from "./request.ts";
import { securityHeaders } from "./security-headers.ts";
import { stopping } from "./stopping.ts";

/** What a route takes that declares no names. */
const NOTHING = z.object({});

/** What requests are logged and counted as that no route takes. */
const NO_ROUTE = "none";

/** After which some vectors of a backlog are there. */
const BACKLOG_RETRY_SECONDS = 10;

/** Answers as long as the process runs. */
const LIVENESS_PATH = "/health";

/** One request on its way through the pipeline. */
interface Exchange {
  http: HonoContext;
  /** Names of those that its path has. */
  parameters: string[];
  credential: Credential | undefined;
  requestId: string;
  startedAt: number;
  /** On the clock of `performance`, which tells fractions of milliseconds. */
  beganAt: number;
  /** Of the error that is answered. */
  code?: ErrorCode;
  /** That error was none that a verb or the pipeline throws. */
  brokeOff: boolean;
  /** Errors tell their message in `detail` too. */
  withDetail: boolean;
}

/**
 * Lets a request begin, at once or when it is its turn, and takes the status that it is answered. Throws where it cannot
 * wait for its turn.
 */
export type Admission = (
  credential: Credential | undefined,
  address: string | undefined,
) => Promise<(status: number) => void>;

export interface AppOptions {
  /** Told of each request that was served, besides the counts that all processes keep together. */
  measure?: (served: Served) => void;
  /** Asked before anything of a request is read but its head. All begin at once unless told. */
  admit?: Admission;
  /** Whether the process is stopping, so that what arrives is refused. */
  isStopping?: () => boolean;
  /** Origins of pages that may call the service. */
  allowedOrigins?: string[] | undefined;
}

/** What the routes of a group are served with. */
interface Mount {
  home: Home;
  admit: Admission | undefined;
  limiter: RateLimiter;
  count(served: Served): void;
  /** Name of the group, and of the route as it is logged and counted: `GET /memories/{id}`. */
  service: string;
  name: string;
  /** Names of the path's parameters. */
  parameters: string[];
  /** As the group's manifest says; a route may still refuse them. */
  admitsAgents: boolean;
  /** Whether its clients are those of mem0. */
  isCompatibility: boolean;
  /** Of a PUT or PATCH the route that reads the same resource. */
  reader: GuardedRoute | undefined;
}

type GuardedRoute = Extract<Route, { isPublic: false }>;

/** Serves the groups' routes: the same pipeline in a Lambda function (one group) and on one machine (all of them). */
export function createApp(
  groups: RouteGroup[],
  home: Home,
  { measure, admit, isStopping, allowedOrigins }: AppOptions = {},
): Hono {
  const app = new Hono({ getPath: pathWithoutTrailingSlash });
  const limiter = new RateLimiter(home.ports.records, home.clock, home.logger);
  const traffic = openTraffic(groups, home);
  const count = (served: Served) => {
    traffic?.count(served);
    measure?.(served);
  };
  app.use(securityHeaders(home.config));
  if (allowedOrigins !== undefined) app.use(allowOrigins(allowedOrigins));
  const compatible = groups.flatMap(({ manifest }) => (manifest.compatibility ? manifest.prefixes : []));
  const isOfMem0 = (path: string) => compatible.some((prefix) => `${path}/`.startsWith(`${prefix}/`));
  if (isStopping) refuseWhileStopping(app, { home, count }, isOfMem0, isStopping);
  refuseStrangers(app, { home, count }, isOfMem0);
  const mounted = groups.flatMap((group) => {
    const ports = confine(home.ports, group.manifest.capabilities, group.manifest.name);
    const admitsAgents = group.manifest.admitsAgents === true;
    const isCompatibility = group.manifest.compatibility === true;
    const service = group.manifest.name;
    return group.routes.map((route) => {
      const method = route.definition.method.toUpperCase();
      const name = `${method} ${route.definition.path}`;
      const parameters = parametersOf(route.definition.path);
      const reader = readerOf(route.definition, group);
      const served = { admit, limiter, count, service, name, parameters, admitsAgents, isCompatibility, reader };
      return { route, method, own: { home: { ...home, ports }, ...served } };
    });
  });
  // Paths that differ in what they call their parameters are one path.
  const byPath = Map.groupBy(mounted, ({ route }) => shapeOf(route.definition.path));
  // So that `/memories/stats` is never taken for the memory 'stats', whatever the method.
  const fixedFirst = [...byPath].sort(([a], [b]) => parametersOf(a).length - parametersOf(b).length);
  for (const [path, those] of fixedFirst) {
    for (const { route, method, own } of those) {
      app.on(method, toHonoPath(path), (http) => serve(route, own, http));
    }
    const allowed = those.map(({ method }) => method);
    const withDetail = those.some(({ own }) => own.isCompatibility);
    refuseOtherMethods(app, path, allowed, { home, count }, withDetail);
  }
  for (const { path, reason } of groups.flatMap(({ notOffered }) => notOffered)) {
    const answer = ({ req }: HonoContext) =>
      refusal({ home, count }, new ServiceError("NOT_OFFERED", reason), isOfMem0(req.path));
    app.all(toHonoPath(path), answer);
  }
  app.notFound(({ req }) => {
    const error = new ServiceError("NOT_FOUND", "There is no such path. See GET /openapi.json.");
    return refusal({ home, count }, error, isOfMem0(req.path));
  });
  // What routes throw is answered with them; this is for what a home serves besides, such as links to blobs.
  app.onError((thrown, { req }) => refusal({ home, count }, toServiceError(thrown, home.logger), isOfMem0(req.path)));
  return app;
}

/** The route that reads what a PUT or PATCH changes. */
function readerOf({ method, path }: RouteDefinition, group: RouteGroup): GuardedRoute | undefined {
  if (method !== "put" && method !== "patch") return undefined;
  const isReader = (route: Route): route is GuardedRoute =>
    !route.isPublic && route.definition.method === "get" && route.definition.path === path;
  return group.routes.find(isReader);
}

/** Counts requests in the records; undefined for a function that has none. */
function openTraffic(groups: RouteGroup[], { rollups, clock, authenticator }: Home): Traffic | undefined {
  if (!groups.some(({ manifest }) => manifest.capabilities.includes("records"))) return undefined;
  const traffic = new Traffic(clock, () => authenticator.cacheUse);
  rollups.gatherFrom(traffic);
  return traffic;
}

function pathWithoutTrailingSlash(request: Request): string {
  const start = request.url.indexOf("/", request.url.indexOf("://") + 3);
  const query = request.url.indexOf("?", start);
  const path = start < 0 ? "/" : request.url.slice(start, query < 0 ? undefined : query);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function toHonoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** What no route takes or answers. Its path is not logged: it may be anything, a secret among others. */
function refusal({ home, count }: Pick<Mount, "home" | "count">, error: ServiceError, withDetail = false): Response {
  const requestId = home.ids("request");
  const response = failure(error, requestId, home.clock(), withDetail);
  const { status } = response;
  const level = levelOf(status);
  home.logger[level]("REQUEST", { request_id: requestId, route: NO_ROUTE, status, duration_ms: 0, code: error.code });
  count({ route: NO_ROUTE, status, durationMs: 0 });
  return response;
}

/** Whether the process runs is asked of one that stops too; whether it is ready is not so any more. */
function refuseWhileStopping(
  app: Hono,
  mount: Pick<Mount, "home" | "count">,
  isOfMem0: (path: string) => boolean,
  isStopping: () => boolean,
): void {
  app.use(async ({ req }, next) => {
    if (!isStopping() || req.path === LIVENESS_PATH) return next();
    return refusal(mount, stopping(), isOfMem0(req.path));
  });
}

/** Who comes past the proxy that proves itself would name an address of their choice, and passes no firewall. */
function refuseStrangers(app: Hono, mount: Pick<Mount, "home" | "count">, isOfMem0: (path: string) => boolean): void {
  const { config } = mount.home;
  const hashes = config.ORIGIN_SECRET_HASHES;
  if (hashes === undefined) return;
  const message = `This is not where the service answers. Send it to ${publicUrlOf(config)}.`;
  app.use(async (http, next) => {
    if (isFromProxy(http, hashes)) return next();
    return refusal(mount, new ServiceError("PERMISSION_DENIED", message), isOfMem0(http.req.path));
  });
}

function refuseOtherMethods(
  app: Hono,
  path: string,
  allowed: string[],
  mount: Pick<Mount, "home" | "count">,
  withDetail: boolean,
): void {
  const allow = allowed.join(", ");
  app.all(toHonoPath(path), () => {
    const error = new ServiceError("METHOD_NOT_ALLOWED", `This path takes ${allow}.`, { allow });
    const response = refusal(mount, error, withDetail);
    response.headers.set("Allow", allow);
    return response;
  });
}

async function serve(route: Route, mount: Mount, http: HonoContext): Promise<Response> {
  const base = mount.home;
  const withDetail = mount.isCompatibility;
  const requestId = base.ids("request");
  const startedAt = base.clock();
  const credential = credentialIn(http.req.raw.headers);
  const exchange: Exchange = {
    http,
    parameters: mount.parameters,
    credential,
    requestId,
    startedAt,
    beganAt: performance.now(),
    brokeOff: false,
    withDetail,
  };
  const address = addressOf(http, base.config.TRUSTED_PROXIES);
  const logger = withFields(base.logger, { service: mount.service, request_id: requestId });
  const home: Home = { ...base, logger, request: { id: requestId, address } };
  let principal: Principal | undefined;
  let answered: ((status: number) => void) | undefined;
  const response = await refusing(home, exchange, async () => {
    answered = await mount.admit?.(credential, address);
    if (route.isPublic) {
      await admitVisitor(home, route.definition);
      const own = { ...home, authenticate: async () => (principal = await identify(home, exchange)) };
      const definition = { maxBodyBytes: MAX_PUBLIC_BODY_BYTES, ...route.definition };
      return answer(definition, exchange, home, (input) => route.verb(own, input));
    }
    principal = await home.authenticator.authenticate(credential);
    return serveGuarded(route.definition, route.verb, contextOf(home, principal), mount, exchange);
  });
  // Failures have it; what a verb answers and what is repeated have not.
  response.headers.set("X-Request-Id", requestId);
  finish(mount, home, exchange, principal, response.status);
  answered?.(response.status);
  return response;
}

/** Counts a visitor who sends something to a public route, before any of it is read. */
async function admitVisitor(home: Home, definition: PublicRouteDefinition): Promise<void> {
  definition.admit?.();
  if (countsVisitors(definition)) await limitVisitor(home, definition.visitorLimit);
}

async function serveGuarded(
  definition: GuardedRouteDefinition,
  verb: Extract<Route, { isPublic: false }>["verb"],
  ctx: Context,
  { limiter, admitsAgents, reader }: Mount,
  exchange: Exchange,
): Promise<Response> {
  if (ctx.viewer !== undefined && !(admitsAgents && definition.admitsAgents !== false)) throw notForAgents();
  ctx.principal = { ...ctx.principal, permissions: effectivePermissions(ctx.principal, exchange.http) };
  if (definition.permission !== "any") demand(ctx.principal, definition.permission);
  if (mayAddDocuments(definition) && ctx.isBacklogged?.(ctx.org)) throw backlogged();
  const limits = await limiter.take(ctx.principal, definition.limit);
  const current = reader && currentOf(reader, ctx);
  const run = () =>
    refusing(ctx, exchange, () => answer(definition, exchange, ctx, (input) => verb(ctx, input), current));
  const key = exchange.http.req.header("idempotency-key");
  const response =
    key !== undefined && isRepeatable(definition) ? await runOnce(ctx, definition, key, exchange, run) : await run();
  // Where the verb itself refused for a limit, the headers are of that limit.
  const isRefused = response.status === statusOf("RATE_LIMITED");
  for (const [name, value] of Object.entries(limits && !isRefused ? rateLimitHeaders(limits) : {})) {
    response.headers.set(name, value);
  }
  return response;
}

/** How a request finds out what its resource is; undefined where the caller may not read it. */
function currentOf({ definition, verb }: GuardedRoute, ctx: Context): ((params: object) => Current) | undefined {
  const { answer, permission, query = NOTHING } = definition;
  if (answer === "raw" || (permission !== "any" && !covers(ctx.principal.permissions, permission))) return undefined;
  return (params) => ({
    answer,
    read: async () => answer.parse(await verb(ctx, { params, query: query.parse({}), body: {} } as never)),
  });
}

function contextOf(home: Home, principal: Principal): Context {
  const { org, agent } = principal;
  const ctx: Context = { ...home, org, viewer: undefined, principal };
  return agent === undefined ? ctx : onBehalfOf(ctx, agent);
}

function notForAgents(): ServiceError {
  return new ServiceError("PERMISSION_DENIED", "A key made for an agent cannot do this. Use one of the organization.");
}

/** The credential of a request to a public route, which never is an agent's. */
async function identify(home: Home, { http, credential }: Exchange): Promise<Principal> {
  const principal = await home.authenticator.authenticate(credential);
  if (principal.agent !== undefined) throw notForAgents();
  return { ...principal, permissions: effectivePermissions(principal, http) };
}

/** X-Permission narrows a request to one permission; it never adds any. */
function effectivePermissions(principal: Principal, http: HonoContext): Principal["permissions"] {
  const named = http.req.header("x-permission");
  if (named === undefined) return principal.permissions;
  if (!isPermission(named) || !covers(principal.permissions, named)) {
    throw new ServiceError("PERMISSION_DENIED", `The credential does not hold '${named}', named by X-Permission.`, {
      required: named,
    });
  }
  return [named];
}

function demand(principal: Principal, permission: GuardedRouteDefinition["permission"] & string): void {
  if (isPermission(permission) && covers(principal.permissions, permission)) return;
  throw new ServiceError("PERMISSION_DENIED", `This needs the permission '${permission}'.`, { required: permission });
}

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
  return once(ctx, request, async () => ({ response: await run(), brokeOff: exchange.brokeOff }));
}

/** Whether a request may store something that is to be embedded. */
function mayAddDocuments({ method, readOnly, permission }: GuardedRouteDefinition): boolean {
  return permission === "memory:write" && !readOnly && method !== "get" && method !== "delete";
}

function backlogged(): ServiceError {
  const message = `Too many memories wait to be found by meaning. Try again in ${BACKLOG_RETRY_SECONDS} s; GET /status answers how many wait.`;
  return new ServiceError("SERVICE_UNAVAILABLE", message, { retry_after: BACKLOG_RETRY_SECONDS });
}

/** What a form holds, as its boundaries differ from request to request. */
async function fingerprintOf(request: Request): Promise<string> {
  const { readForm } = await import("./multipart.ts");
  const { fields, file } = await readForm(request);
  const digest = sha256(file.bytes);
  return JSON.stringify([Object.entries(fields).sort(), file.name, file.content_type, digest]);
}

async function answer(
  definition: RouteDefinition,
  exchange: Exchange,
  home: Home,
  verb: (input: never) => Promise<unknown>,
  current?: (params: object) => Current,
): Promise<Response> {
  const isChange = definition.method !== "get" && !definition.readOnly;
  if (isChange && definition.method !== "delete" && home.isShortOfRoom?.()) throw new OutOfSpaceError();
  const input = await readInput(definition, exchange, current);
  const value = await verb(input as never);
  if (isChange) await home.settle();
  if (definition.answer === "raw" || value instanceof Response) return value as Response;
  const data = definition.answer.parse(value);
  const status = definition.status ?? 200;
  const body = definition.bare ? data : success(data, exchange.requestId, exchange.startedAt, home.clock());
  const json = JSON.stringify(body);
  if (isTooLong(json)) {
    home.logger.warn("ANSWER_TOO_LONG", { operation: definition.name, characters: json.length });
    throw tooLong(data, isChange);
  }
  const response = jsonResponse(json, status);
  if (definition.versioned) response.headers.set("ETag", `"${(data as { version: number }).version}"`);
  return response;
}

async function readInput(
  {
    method,
    query = NOTHING,
    body = NOTHING,
    maxBodyBytes,
    form,
    conditional,
    ignoresUnknownParameters,
  }: RouteDefinition,
  { http: { req }, parameters }: Exchange,
  current?: (params: object) => Current,
): Promise<object> {
  const given = ignoresUnknownParameters
    ? validateNamed(query, req.query())
    : validate(query, readParameters(req.queries()), "query parameter");
  if (form) return readUpload(form, req.raw);
  const params = Object.fromEntries(parameters.map((name, place) => [name, req.param(parameterAt(place))]));
  return {
    params,
    query: given,
    body: await readBodyFields(req, { method, body, maxBodyBytes }, current?.(params)),
    ifMatch: conditional && readIfMatch(req.header("if-match")),
    accepts: parseAccept(req.header("accept") ?? "").map(({ type }) => type.toLowerCase()),
  };
}

async function readBodyFields(
  req: HonoContext["req"],
  { method, body = NOTHING, maxBodyBytes }: Pick<RouteDefinition, "method" | "body" | "maxBodyBytes">,
  current: Current | undefined,
): Promise<unknown> {
  if (method === "get") {
    refuseBody(req.raw.headers);
    return {};
  }
  const sent = await readJson(req, maxBodyBytes);
  return validate(body, current ? await withoutReadOnly(body, current, sent) : sent);
}

async function readUpload(form: NonNullable<RouteDefinition["form"]>, request: Request): Promise<object> {
  const { readForm } = await import("./multipart.ts");
  const { fields, file } = await readForm(request);
  return { fields: validate(form, fields, "form field"), file };
}

/** The body as JSON; a request without one gives an empty object, so that fields tell what is missing. */
async function readJson(req: HonoContext["req"], maxBytes?: number): Promise<unknown> {
  const json = parseJson(await readBody(req.raw, maxBytes), req.header("content-type") ?? null);
  return json === undefined ? {} : json;
}

async function refusing(home: Home, exchange: Exchange, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run();
  } catch (thrown) {
    const error = toServiceError(thrown, home.logger);
    exchange.code = error.code;
    exchange.brokeOff = error !== thrown;
    return failure(error, exchange.requestId, home.clock(), exchange.withDetail);
  }
}

function levelOf(status: number): "info" | "error" {
  return status < 500 ? "info" : "error";
}

/** Logs the request in one line that holds nothing of what it carried, and counts it. */
function finish(
  { name: route, count }: Mount,
  home: Home,
  { beganAt, code }: Exchange,
  principal: Principal | undefined,
  status: number,
): void {
  const durationMs = performance.now() - beganAt;
  const who = principal && { org: principal.org, principal: principal.id, user_id: principal.owner };
  const line = { route, status, duration_ms: rounded(durationMs, 1), ...(code && { code }), ...who };
  home.logger[levelOf(status)]("REQUEST", line);
  count({ route, status, durationMs, user: principal?.owner });
  if (principal?.kind === "api_key") countUse(home, principal, status < 400);
  if (principal) countActivity({ ...home, principal }, "api_calls");
}
