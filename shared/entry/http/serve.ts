import type { Context as HonoContext } from "hono";
import { countRequest } from "../../domain/identity/activity.ts";
import { credentialIn } from "../../domain/identity/credential.ts";
import { limitVisitor } from "../../domain/identity/sign-in-limits.ts";
import { sha256 } from "../../kernel/digest.ts";
import { ServiceError, statusOf } from "../../kernel/errors.ts";
import { withFields } from "../../kernel/logger.ts";
import { rounded } from "../../kernel/math.ts";
import { covers, requirePermission } from "../../runtime/access/permissions.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import { challengeOf } from "../../runtime/access/resource.ts";
import type { Context, Runtime } from "../../runtime/context.ts";
import { refuseWhileBacklogged } from "../../runtime/http/backlog.ts";
import { announceDeprecations } from "../../runtime/http/deprecation.ts";
import { failure, rateLimitHeaders } from "../../runtime/http/envelope.ts";
import {
  countsVisitors,
  type GuardedRouteDefinition,
  isRepeatable,
  type PublicRouteDefinition,
  type RefusalForm,
  type Route,
  type RouteDefinition,
} from "../../runtime/http/group.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH, runIdempotently } from "../../runtime/http/idempotency.ts";
import { addressOf } from "../../runtime/http/origin.ts";
import type { Current } from "../../runtime/http/read-only.ts";
import { MAX_PUBLIC_BODY_BYTES, readBody } from "../../runtime/http/request.ts";
import { toServiceError } from "../../runtime/service-error.ts";
import { answer } from "./answer.ts";
import { authenticate, contextOf, effectivePermissions, identify, notForAgents } from "./caller.ts";
import { type Exchange, type GuardedRoute, levelOf, type Mount, NOTHING } from "./exchange.ts";

/** Serves one request to a route; an error becomes its response. */
export async function serve(route: Route, mount: Mount, http: HonoContext): Promise<Response> {
  const exchange = beginExchange(mount, http);
  const { requestId, credential } = exchange;
  const address = addressOf(http, mount.runtime.config.TRUSTED_PROXIES);
  const runtime = runtimeOf(exchange, address);
  let principal: Principal | undefined;
  let reportStatus: ((status: number) => void) | undefined;
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
  const refusal = route.isPublic ? route.definition.refusal : undefined;
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

function beginExchange(mount: Mount, http: HonoContext): Exchange {
  const { ids, clock } = mount.runtime;
  return {
    http,
    mount,
    credential: credentialIn(http.req.raw.headers),
    requestId: ids("request"),
    startedAt: clock(),
    beganAt: performance.now(),
    outcomeUnknown: false,
  };
}

/** Returns the runtime of one request, whose log lines name it. */
function runtimeOf({ http, mount, requestId }: Exchange, address: string | undefined): Runtime {
  const logger = withFields(mount.runtime.logger, { service: mount.manifest.name, request_id: requestId });
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
  return { ...mount.runtime, logger, request };
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
  const respond = () => answer(definition, exchange, ctx, (input) => handler(ctx, input), current);
  const run = () => withErrorResponse(ctx, exchange, respond, definition.refusal);
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

/** Whether the request may store text that is embedded. */
function mayAddDocuments({ method, readOnly, permission }: GuardedRouteDefinition): boolean {
  return permission === "memory:write" && !readOnly && method !== "get" && method !== "delete";
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

/** Returns a fingerprint of a form's fields and file; the bodies of equal forms differ in their boundaries. */
async function fingerprintOf(request: Request): Promise<string> {
  const { readForm } = await import("../../runtime/http/multipart.ts");
  const { fields, file } = await readForm(request);
  const digest = sha256(file.bytes);
  return JSON.stringify([Object.entries(fields).sort(), file.name, file.content_type, digest]);
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
