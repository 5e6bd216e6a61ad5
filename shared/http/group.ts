import type * as z from "zod";
import type { Permission } from "../identity/permissions.ts";
import type { LimitedOperation } from "../identity/plans.ts";
import type { Principal } from "../identity/principal.ts";
import type { VisitorLimit } from "../identity/sign-in-limits.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import type { Context, Home } from "../platform/context.ts";
import type { GroupManifest } from "../platform/manifest.ts";
import type { UploadedFile } from "./multipart.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** `{id: string; entityID: string}` of "/memories/{id}/link/{entityID}". */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & PathParameters<Rest>
  : unknown;

/** One route as data: what is needed to serve, guard, limit, document and test it. */
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
  /** Row of the contract's rate-limit table; without one only the plan's general limit counts. */
  limit?: LimitedOperation;
  query?: Query;
  /** Takes parameters that the query does not name, where a standard requires it: a callback of OAuth (RFC 6749, 4.1.2). */
  ignoresUnknownParameters?: true;
  body?: Body;
  /** Longest JSON body in bytes, where it is not MAX_BODY_BYTES (MAX_PUBLIC_BODY_BYTES for a public route). */
  maxBodyBytes?: number;
  /** Text fields of a form of multipart/form-data that a file comes with; such a route has no other body. */
  form?: z.ZodObject;
  /**
   * What leaves: fields the schema does not name are dropped. `raw`: the verb answers with a Response of its own, as others
   * may where the request asks for another form, which `produces` names.
   */
  answer: Answer | "raw";
  /** Media type of a `raw` answer or of another form than JSON, or several where the request chooses. */
  produces?: string | string[];
  /** May answer 303 to a GET, with a link to what is too large for an answer. */
  redirects?: true;
  status?: 200 | 201 | 202;
  /** Bare JSON, without the success envelope. */
  bare?: true;
  /** Answers an ETag of `version`. */
  versioned?: true;
  /** Honours If-Match: the verb is given the version it names. */
  conditional?: true;
  /** A POST that only reads: no idempotency key, no waiting for consumers. */
  readOnly?: true;
  /** Codes that the verb itself answers with, besides what every route of its kind may answer. */
  errors?: readonly ErrorCode[];
}

export interface GuardedRouteDefinition<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends RouteDefinition<Path, Query, Body, Answer> {
  /** What the credential must hold; `any` is any valid credential, the verb decides. */
  permission: Permission | "any";
  /** Refuses keys made for an agent, also where the group takes them. */
  admitsAgents?: false;
}

export interface PublicRouteDefinition<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends RouteDefinition<Path, Query, Body, Answer> {
  /** What requests count as, where that is not a sign-in. A route that takes neither a body nor a query counts nothing. */
  visitorLimit?: VisitorLimit;
  /** Runs before a request is counted and read; throws to refuse it. */
  admit?: () => void;
}

/** Whether requests to a public route are counted by where they come from, before they are read. */
export function countsVisitors({ query, body }: Pick<RouteDefinition, "query" | "body">): boolean {
  return query !== undefined || body !== undefined;
}

/** What a request brought, parsed by the route's schemas. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** Version named by If-Match; the verb must refuse any other. */
  ifMatch?: number;
  /** Media types of the Accept header, the most wanted first. */
  accepts: string[];
}

/** Whether a repeated request with the same Idempotency-Key answers what the first did. */
export function isRepeatable({ method, readOnly }: RouteDefinition): boolean {
  return method === "post" && !readOnly;
}

/** Names of a path's parameters, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** What a form brought. */
export interface UploadInput<Fields> {
  fields: Fields;
  file: UploadedFile;
}

/** What of a path a request can tell: `/connections/{provider}` and `/connections/{connection_id}` are one. */
export function shapeOf(path: string): string {
  let place = 0;
  return path.replace(/\{\w+\}/g, () => `{${parameterAt(place++)}}`);
}

/** What a parameter is called in the shape of its path, by its place among them. */
export function parameterAt(place: number): string {
  return `p${place}`;
}

type AnswerOf<Answer> = Answer extends z.ZodType ? z.input<Answer> | Response : Response;

/** What a verb of a public route works with: some take a credential instead of a token that the request brings. */
export interface PublicHome extends Home {
  /** Who sent the request. Throws UNAUTHORIZED where it brought no valid credential. */
  authenticate(): Promise<Principal>;
}

type Verb<Caller> = (caller: Caller, input: never) => Promise<unknown>;

/** A route and the verb behind it, as the app mounts it. */
export type Route =
  | { definition: GuardedRouteDefinition; isPublic: false; verb: Verb<Context> }
  | { definition: PublicRouteDefinition; isPublic: true; verb: Verb<PublicHome> };

/** The routes of one endpoint group, collected as data; `createApp` serves them. */
export class RouteGroup {
  readonly manifest: GroupManifest;
  readonly routes: Route[] = [];
  /** Paths that clients of another service ask for, and why there is nothing at them; they are in no document. */
  readonly notOffered: { path: string; reason: string }[] = [];

  constructor(manifest: GroupManifest) {
    this.manifest = manifest;
  }

  /** A route for requests with a valid credential that holds the permission. */
  route<const Path extends string, Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType | "raw">(
    definition: GuardedRouteDefinition<Path, Query, Body> & { answer: Answer },
    verb: (
      ctx: Context,
      input: RouteInput<PathParameters<Path>, z.output<Query>, z.output<Body>>,
    ) => Promise<AnswerOf<Answer>>,
  ): void {
    this.routes.push({ definition: definition as GuardedRouteDefinition, isPublic: false, verb });
  }

  /** A route that takes a file in a form, and needs a credential like any other. */
  uploadRoute<Form extends z.ZodObject, Answer extends z.ZodType>(
    definition: Omit<GuardedRouteDefinition, "query" | "body" | "method" | "answer"> & { form: Form; answer: Answer },
    verb: (ctx: Context, input: UploadInput<z.output<Form>>) => Promise<AnswerOf<Answer>>,
  ): void {
    this.routes.push({ definition: { ...definition, method: "post" }, isPublic: false, verb });
  }

  /** A route that asks for no credential. */
  publicRoute<
    const Path extends string,
    Query extends z.ZodObject,
    Body extends z.ZodType,
    Answer extends z.ZodType | "raw",
  >(
    definition: PublicRouteDefinition<Path, Query, Body> & { answer: Answer },
    verb: (
      home: PublicHome,
      input: RouteInput<PathParameters<Path>, z.output<Query>, z.output<Body>>,
    ) => Promise<AnswerOf<Answer>>,
  ): void {
    this.routes.push({ definition: definition as PublicRouteDefinition, isPublic: true, verb });
  }
}

export function newGroup(manifest: GroupManifest): RouteGroup {
  return new RouteGroup(manifest);
}
