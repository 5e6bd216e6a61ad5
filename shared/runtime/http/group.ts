import type * as z from "zod";
import type { ErrorCode, ServiceError } from "../../kernel/errors.ts";
import type { GroupManifest } from "../../ports/manifest.ts";
import type { Permission } from "../access/permissions.ts";
import type { LimitedOperation } from "../access/plans.ts";
import type { Principal } from "../access/principal.ts";
import type { VisitorLimit } from "../access/rate-limit.ts";
import type { Context, Runtime } from "../context.ts";
import type { Deprecations } from "./deprecation.ts";
import type { UploadedFile } from "./multipart.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** `{id: string; entityID: string}` of "/memories/{id}/link/{entityID}". */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;

/** What a route is called. */
interface RouteAddress {
  method: Method;
  path: string;
  /** Operation id of the OpenAPI document. */
  name: string;
}

/** A route as data: everything needed to serve, guard, limit, document and test it. */
interface RouteOptions<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType | "raw" = z.ZodType | "raw",
> extends Deprecations {
  summary: string;
  /** Row of the contract's rate-limit table; without it only the plan's general limit applies. */
  limit?: LimitedOperation;
  query?: Query;
  /** Accepts parameters and fields that the schemas do not name, as OAuth requires (RFC 6749, 3.1 and 3.2). */
  ignoresUnknownParameters?: true;
  body?: Body;
  /** Maximum size of a JSON body in bytes; the default is MAX_BODY_BYTES (MAX_PUBLIC_BODY_BYTES for a public route). */
  maxBodyBytes?: number;
  /** The body is `application/x-www-form-urlencoded` and not JSON, as at OAuth's token endpoint. */
  isUrlEncoded?: true;
  /** Text fields of a multipart/form-data body with a file; such a route has no other body. */
  form?: z.ZodObject;
  /**
   * The response; fields that the schema does not name are dropped. `raw`: the handler returns its own Response; other
   * handlers may do so if the request asks for a form named in `produces`.
   */
  answer: Answer;
  /** Media types of a `raw` response or of forms other than JSON. */
  produces?: string | string[];
  /** May answer a GET with 303 and a link if the content is too large for a response. */
  redirects?: true;
  status?: 200 | 201 | 202;
  /** Plain JSON without the success envelope. */
  bare?: true;
  /** Sends an ETag with the `version`. */
  versioned?: true;
  /** The answer has a secret of the caller's, and no ETag, which would be a digest of it. */
  secret?: true;
  /** Supports If-Match: the handler receives the version. */
  conditional?: true;
  /** A POST that only reads: no idempotency key, no waiting for consumers. */
  readOnly?: true;
  /** Names of headers that the handler reads, in lower case. */
  headers?: readonly string[];
  /** Error bodies of a protocol that defines its own, in place of the envelope, for invalid input and the handler. */
  refusal?: RefusalForm;
  /** Error codes of the handler itself, in addition to those of every route of its kind and path. */
  errors?: readonly ErrorCode[];
}

/** The error form of a protocol. */
export interface RefusalForm {
  /** For the OpenAPI document; `data.code` is the service's own code. */
  schema: z.ZodType;
  toBody(error: ServiceError): object;
}

/** What a route that needs a credential adds. */
interface GuardOptions {
  /** The required permission; `any` accepts every valid credential and the handler decides. */
  permission: Permission | "any";
  /** `false` refuses agents' keys, even if the group accepts them. */
  allowsAgentKeys?: boolean;
}

/** What a route that needs no credential adds. */
interface PublicOptions {
  /** The visitor limit, if it is not that of sign-ins. A route without body and query counts nothing. */
  visitorLimit?: VisitorLimit;
  /** Runs before a request is counted and read; throws to refuse it. */
  admit?: () => void;
}

/** What a route may leave to its group. */
type CommonOptions = Partial<GuardOptions & Pick<RouteOptions, "bare" | "limit">>;

type OptionsByMethod = Partial<Record<Method, CommonOptions>>;

type Defaults = CommonOptions & Pick<RouteOptions, "query">;

/** A forgotten permission must not open a route. */
const STRICTEST = { permission: "admin:all" } as const;

export type RouteDefinition = RouteAddress & RouteOptions;
export type GuardedRouteDefinition = RouteAddress & RouteOptions & GuardOptions;
export type PublicRouteDefinition = RouteAddress & RouteOptions & PublicOptions;

/** Whether requests to a public route are counted by address before they are read. */
export function countsVisitors({ query, body }: Pick<RouteDefinition, "query" | "body">): boolean {
  return query !== undefined || body !== undefined;
}

/** A request's input, parsed by the route's schemas. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** Version named by If-Match; the handler must refuse any other version. */
  ifMatch?: number;
  /** Media types of the Accept header in order of preference. */
  accepts: string[];
  /** Those of the route's `headers` that were sent. */
  headers: Record<string, string>;
}

/** Whether a repeated request with the same Idempotency-Key gets the first response. */
export function isRepeatable({ method, readOnly }: RouteDefinition): boolean {
  return method === "post" && !readOnly;
}

/** Names of a path's parameters, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The input of a form. */
export interface UploadInput<Fields> {
  fields: Fields;
  file: UploadedFile;
}

/** The path with numbered parameters: `/connections/{provider}` and `/connections/{connection_id}` are one shape. */
export function shapeOf(path: string): string {
  let index = 0;
  return path.replace(/\{\w+\}/g, () => `{${parameterAt(index++)}}`);
}

/** The name of a parameter in the path's shape, by its position. */
export function parameterAt(index: number): string {
  return `p${index}`;
}

type AnswerOf<Answer> = Answer extends z.ZodType ? z.input<Answer> | Response : Response;

/** The context of a public route's handler; some handlers accept a credential instead of a token in the request. */
export interface PublicRuntime extends Runtime {
  /** The principal of the request. Throws UNAUTHORIZED without a valid credential. */
  authenticate(): Promise<Principal>;
}

/** The function behind a route, with input typed by the route's path and schemas. */
type Handler<Caller, Path extends string, Query, Body, Answer> = (
  caller: Caller,
  input: RouteInput<PathParameters<Path>, z.output<Query>, z.output<Body>>,
) => Promise<AnswerOf<Answer>>;

/** Adds a route with its handler to a group. */
type AddRoute<Caller, Options> = <
  const Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType | "raw",
>(
  path: Path,
  name: string,
  options: RouteOptions<Query, Body, Answer> & Options & { handler: Handler<Caller, Path, Query, Body, Answer> },
) => void;

type AnyHandler<Caller> = (caller: Caller, input: never) => Promise<unknown>;

/** A route and the function behind it, as the app mounts it. */
export type Route =
  | { definition: GuardedRouteDefinition; isPublic: false; handler: AnyHandler<Context> }
  | { definition: PublicRouteDefinition; isPublic: true; handler: AnyHandler<PublicRuntime> };

/** The routes of one endpoint group, collected as data; `createApp` serves them. */
export class RouteGroup {
  readonly manifest: GroupManifest;
  readonly routes: Route[] = [];
  /** Paths that clients of another service request, with the reason why they do not exist here; not documented. */
  readonly notOffered: { path: string; reason: string }[] = [];

  /** Routes for requests whose credential has the permission. */
  readonly get = this.#guarded("get");
  readonly post = this.#guarded("post");
  readonly put = this.#guarded("put");
  readonly patch = this.#guarded("patch");
  readonly delete = this.#guarded("delete");
  /** Routes that need no credential. */
  readonly public = { get: this.#public("get"), post: this.#public("post") };

  readonly #defaults: Defaults;
  readonly #byMethod: OptionsByMethod;

  /** The defaults are for routes that need a credential; those of a method and a route's own come before them. */
  constructor(manifest: GroupManifest, defaults: Defaults, byMethod: OptionsByMethod) {
    this.manifest = manifest;
    this.#defaults = defaults;
    this.#byMethod = byMethod;
  }

  /** Adds a POST route that accepts a file in a form. */
  upload<Form extends z.ZodObject, Answer extends z.ZodType>(
    path: string,
    name: string,
    options: RouteOptions<never, never, Answer> &
      CommonOptions & {
        form: Form;
        handler: (ctx: Context, input: UploadInput<z.output<Form>>) => Promise<AnswerOf<Answer>>;
      },
  ): void {
    this.#add({ method: "post", path, name }, options);
  }

  #add(
    address: RouteAddress,
    { handler, ...own }: RouteOptions & CommonOptions & { handler: AnyHandler<Context> },
  ): void {
    const options = { ...STRICTEST, ...this.#defaults, ...this.#byMethod[address.method], ...own };
    this.routes.push({ definition: { ...address, ...options }, isPublic: false, handler });
  }

  #guarded(method: Method) {
    const add: AddRoute<Context, CommonOptions> = (path, name, options) => this.#add({ method, path, name }, options);
    return add;
  }

  #public(method: Method) {
    const add: AddRoute<PublicRuntime, PublicOptions> = (path, name, { handler, ...own }) => {
      this.routes.push({ definition: { method, path, name, ...own }, isPublic: true, handler });
    };
    return add;
  }
}

export function newGroup(manifest: GroupManifest, defaults: Defaults = {}, byMethod: OptionsByMethod = {}): RouteGroup {
  return new RouteGroup(manifest, defaults, byMethod);
}
