import { Hono, type Context as HonoContext } from "hono";
import { publicUrlOf } from "../../kernel/config.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { RateLimiter } from "../../runtime/access/rate-limit.ts";
import { type Runtime, restrictPorts } from "../../runtime/context.ts";
import { allowOrigins } from "../../runtime/http/cors.ts";
import { failure } from "../../runtime/http/envelope.ts";
import { parametersOf, type Route, type RouteDefinition, type RouteGroup, shapeOf } from "../../runtime/http/group.ts";
import { isFromProxy } from "../../runtime/http/origin.ts";
import { problemDetails } from "../../runtime/http/problem.ts";
import { securityHeaders } from "../../runtime/http/security-headers.ts";
import { stopping } from "../../runtime/http/stopping.ts";
import { toServiceError } from "../../runtime/service-error.ts";
import { type TracedRequest, Traffic } from "../../runtime/stats/traffic.ts";
import { type Admission, type GuardedRoute, levelOf, type Mount } from "./exchange.ts";
import { serve } from "./serve.ts";

/** The route name under which unmatched requests are logged and counted. */
const NO_ROUTE = "none";

/** Path of the liveness check, which responds as long as the process runs. */
const LIVENESS_PATH = "/health";

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

/** Serves the groups' routes: the same pipeline in a Lambda function (one group) and on one machine (all of them). */
export function createApp(groups: RouteGroup[], runtime: Runtime, options: AppOptions = {}): Hono {
  const { measure, admit, isStopping, allowedOrigins } = options;
  const prefix = URL.parse(publicUrlOf(runtime.config))?.pathname ?? "/";
  const app = new Hono({ getPath: (request) => withoutPrefix(pathWithoutTrailingSlash(request), prefix) });
  const limiter = new RateLimiter(runtime.ports.records, runtime.clock, runtime.logger);
  const traffic = openTraffic(groups, runtime);
  const count = (served: TracedRequest) => {
    traffic?.count(served);
    measure?.(served);
  };
  const compatible = groups.flatMap(({ manifest }) => (manifest.compatibility ? manifest.prefixes : []));
  const isCompatible = (path: string) => compatible.some((prefix) => `${path}/`.startsWith(`${prefix}/`));
  const refuse: Refuse = ({ req }, error) => refusal({ runtime, count }, error, isCompatible(req.path));
  app.use(securityHeaders(runtime.config));
  if (allowedOrigins !== undefined) app.use(allowOrigins(allowedOrigins));
  app.use(problemDetails());
  if (isStopping) refuseWhileStopping(app, refuse, isStopping);
  requireOriginSecret(app, refuse, runtime.config);
  addRoutes(app, mountRoutes(groups, { runtime, admit, limiter, count }), refuse);
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

interface MountedRoute {
  route: Route;
  mount: Mount;
}

/** Returns the routes with what each needs to serve requests: its group's ports, and no others. */
function mountRoutes(
  groups: RouteGroup[],
  { runtime, ...shared }: Pick<Mount, "runtime" | "admit" | "limiter" | "count">,
): MountedRoute[] {
  return groups.flatMap((group) => {
    const { manifest } = group;
    const ports = restrictPorts(runtime.ports, manifest.capabilities, manifest.name);
    return group.routes.map((route) => {
      const { method, path } = route.definition;
      const name = `${method.toUpperCase()} ${path}`;
      const reader = readerOf(route.definition, group);
      const parameters = parametersOf(path);
      return { route, mount: { runtime: { ...runtime, ports }, ...shared, manifest, name, parameters, reader } };
    });
  });
}

function addRoutes(app: Hono, mounted: MountedRoute[], refuse: Refuse): void {
  // Paths that differ only in the names of their parameters are one path.
  const byPath = Map.groupBy(mounted, ({ route }) => shapeOf(route.definition.path));
  // Fixed paths come first, so that `/memories/stats` never matches as the memory 'stats', for any method.
  const fixedFirst = [...byPath].sort(([a], [b]) => parametersOf(a).length - parametersOf(b).length);
  for (const [path, routes] of fixedFirst) {
    for (const { route, mount } of routes) {
      app.on(route.definition.method.toUpperCase(), toHonoPath(path), (http) => serve(route, mount, http));
    }
    const allow = routes.map(({ route }) => route.definition.method.toUpperCase()).join(", ");
    app.all(toHonoPath(path), (http) => {
      const error = new ServiceError("METHOD_NOT_ALLOWED", `This path allows ${allow}.`, { allow });
      const response = refuse(http, error);
      response.headers.set("Allow", allow);
      return response;
    });
  }
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
  withDetail: boolean,
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
