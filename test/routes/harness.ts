import { loadGroups } from "../../infra/groups.ts";
import type { Route } from "../../shared/runtime/http/group.ts";
import { expectDocumented } from "../support/documented.ts";
import type { Answered, RequestOptions, Service } from "../support/service.ts";
import { SAMPLES } from "./samples/index.ts";

/** An id that does not exist. */
export const ABSENT = "nothing_has_this_id";

/** An id that does not exist, in the service's own form: some routes handle these differently from any others. */
export function absentLike(id: string): string {
  return /^[a-z]+_[0-9A-Z]{26}$/.test(id) ? `${id.slice(0, -6)}ZZZZZZ` : ABSENT;
}

export const groups = await loadGroups();
export const routes = groups.flatMap((group) => group.routes);
export const guarded = routes.filter(({ isPublic }) => !isPublic);

export function titleOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Routes as `describe.each` takes them. */
export function titled(those: Route[]): (readonly [string, Route])[] {
  return those.map((route) => [titleOf(route.definition), route] as const);
}

/** The route's path with ids, followed by the sample's query. */
export function urlOf({ definition }: Route, ids: Record<string, string> = {}): string {
  const { query, kinds = {} } = SAMPLES[definition.name] ?? {};
  const path = definition.path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? kinds[name] ?? ABSENT);
  return query === undefined ? path : `${path}?${query}`;
}

/** Sends the route's sample request; the response must match the documentation. */
export async function sendSample(
  service: Service,
  route: Route,
  { ids, ...options }: RequestOptions & { ids?: Record<string, string> } = {},
): Promise<Answered> {
  const { name, method } = route.definition;
  const sample = { body: SAMPLES[name]?.body, ...options };
  if (route.definition.isUrlEncoded) {
    sample.body = new URLSearchParams(sample.body as Record<string, string>).toString();
    sample.headers = { ...options.headers, "content-type": "application/x-www-form-urlencoded" };
  }
  const answer = await service.request(method.toUpperCase(), urlOf(route, ids), sample);
  expectDocumented(name, answer);
  return answer;
}
