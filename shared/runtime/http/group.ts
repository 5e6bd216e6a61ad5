import type * as z from "zod";
import type { ErrorCode, ServiceError } from "../../kernel/errors.ts";
import type { GroupManifest } from "../../ports/manifest.ts";
import type { Permission } from "../access/permissions.ts";
import type { LimitedOperation } from "../access/plans.ts";
import type { Principal } from "../access/principal.ts";
import type { VisitorLimit } from "../access/rate-limit.ts";
import type { Context, Runtime } from "../context.ts";
import type { UploadedFile } from "./multipart.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** `{id: string; entityID: string}` of "/memories/{id}/link/{entityID}". */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;

/** A route as data: everything needed to serve, guard, limit, document and test it. */
export interface RouteDefinition<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: Method;
  path: Path;
  /** Operation id of the OpenAPI document. */
  name: string;
  summary: string;
  /** Row of the contract's rate-limit table; without it only the plan's general limit applies. */
  limit?: LimitedOperation;
  query?: Query;
  /**
   * Accepts query parameters that the schema does not name, because a standard requires it: an OAuth callback (RFC
   * 6749, 4.1.2).
   */
  ignoresUnknownParameters?: true;
  body?: Body;
  /** Maximum size of a JSON body in bytes; the default is MAX_BODY_BYTES (MAX_PUBLIC_BODY_BYTES for a public route). */
  maxBodyBytes?: number;
  /** Text fields of a multipart/form-data body with a file; such a route has no other body. */
  form?: z.ZodObject;
  /**
   * The response; fields that the schema does not name are dropped. `raw`: the verb returns its own Response; other
   * verbs may do so if the request asks for a form named in `produces`.
   */
  answer: Answer | "raw";
  /** Media types of a `raw` response or of forms other than JSON. */
  produces?: string | string[];
  /** May answer a GET with 303 and a link if the content is too large for a response. */
  redirects?: true;
  status?: 200 | 201 | 202;
  /** Plain JSON without the success envelope. */
  bare?: true;
  /** Sends an ETag with the `version`. */
  versioned?: true;
  /** Supports If-Match: the verb receives the version. */
  conditional?: true;
  /** A POST that only reads: no idempotency key, no waiting for consumers. */
  readOnly?: true;
  /** Names of headers that the verb reads, in lower case. */
  headers?: readonly string[];
  /**
   * The form of error bodies in a protocol that defines its own; replaces the envelope for errors in the request's
   * input and in the verb.
   */
  refusal?: RefusalForm;
  /** Error codes of the verb itself, in addition to those of every route of its kind. */
  errors?: readonly ErrorCode[];
}

/** The error form of a protocol. */
export interface RefusalForm {
  /** For the OpenAPI document; `data.code` is the service's own code. */
  schema: z.ZodType;
  toBody(error: ServiceError): object;
}

export interface GuardedRouteDefinition<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends RouteDefinition<Path, Query, Body, Answer> {
  /** The required permission; `any` accepts every valid credential and the verb decides. */
  permission: Permission | "any";
  /** Refuses agents' keys, even if the group accepts them. */
  allowsAgentKeys?: false;
}

export interface PublicRouteDefinition<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends RouteDefinition<Path, Query, Body, Answer> {
  /** The visitor limit, if it is not that of sign-ins. A route without body and query counts nothing. */
  visitorLimit?: VisitorLimit;
  /** Runs before a request is counted and read; throws to refuse it. */
  admit?: () => void;
}

/** Whether requests to a public route are counted by address before they are read. */
export function countsVisitors({ query, body }: Pick<RouteDefinition, "query" | "body">): boolean {
  return query !== undefined || body !== undefined;
}

/** A request's input, parsed by the route's schemas. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** Version named by If-Match; the verb must refuse any other version. */
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

/**
 * The path with its parameters numbered: `/connections/{provider}` and `/connections/{connection_id}` are the same
 * shape.
 */
export function shapeOf(path: string): string {
  let place = 0;
  return path.replace(/\{\w+\}/g, () => `{${parameterAt(place++)}}`);
}

/** The name of a parameter in the path's shape, by its position. */
export function parameterAt(place: number): string {
  return `p${place}`;
}

type AnswerOf<Answer> = Answer extends z.ZodType ? z.input<Answer> | Response : Response;

/** The context of a public route's verb; some verbs accept a credential instead of a token in the request. */
export interface PublicRuntime extends Runtime {
  /** The principal of the request. Throws UNAUTHORIZED without a valid credential. */
  authenticate(): Promise<Principal>;
}

type Verb<Caller> = (caller: Caller, input: never) => Promise<unknown>;

/** A route and the verb behind it, as the app mounts it. */
export type Route =
  | { definition: GuardedRouteDefinition; isPublic: false; verb: Verb<Context> }
  | { definition: PublicRouteDefinition; isPublic: true; verb: Verb<PublicRuntime> };

/** The routes of one endpoint group, collected as data; `createApp` serves them. */
export class RouteGroup {
  readonly manifest: GroupManifest;
  readonly routes: Route[] = [];
  /** Paths that clients of another service request, with the reason why they do not exist here; not documented. */
  readonly notOffered: { path: string; reason: string }[] = [];

  constructor(manifest: GroupManifest) {
    this.manifest = manifest;
  }

  /** Adds a route for requests whose credential has the permission. */
  route<const Path extends string, Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType | "raw">(
    definition: GuardedRouteDefinition<Path, Query, Body> & { answer: Answer },
    verb: (
      ctx: Context,
      input: RouteInput<PathParameters<Path>, z.output<Query>, z.output<Body>>,
    ) => Promise<AnswerOf<Answer>>,
  ): void {
    this.routes.push({ definition: definition as GuardedRouteDefinition, isPublic: false, verb });
  }

  /** Adds a route that accepts a file in a form; it needs a credential like any other. */
  uploadRoute<Form extends z.ZodObject, Answer extends z.ZodType>(
    definition: Omit<GuardedRouteDefinition, "query" | "body" | "method" | "answer"> & { form: Form; answer: Answer },
    verb: (ctx: Context, input: UploadInput<z.output<Form>>) => Promise<AnswerOf<Answer>>,
  ): void {
    this.routes.push({ definition: { ...definition, method: "post" }, isPublic: false, verb });
  }

  /** Adds a route that needs no credential. */
  publicRoute<
    const Path extends string,
    Query extends z.ZodObject,
    Body extends z.ZodType,
    Answer extends z.ZodType | "raw",
  >(
    definition: PublicRouteDefinition<Path, Query, Body> & { answer: Answer },
    verb: (
      runtime: PublicRuntime,
      input: RouteInput<PathParameters<Path>, z.output<Query>, z.output<Body>>,
    ) => Promise<AnswerOf<Answer>>,
  ): void {
    this.routes.push({ definition: definition as PublicRouteDefinition, isPublic: true, verb });
  }
}

export function newGroup(manifest: GroupManifest): RouteGroup {
  return new RouteGroup(manifest);
}
