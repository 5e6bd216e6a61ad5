/** A resource that paths name, and how the organization of the given key creates it over HTTP. */
export interface Thing {
  path: string;
  /** `name` differs for two organizations that must not share the resource. */
  body: Record<string, unknown> | ((given: { name: string; ids: Record<string, string> }) => Record<string, unknown>);
  /** Field of the response that contains the id, dotted if it is nested; `id` by default. */
  idField?: string;
  /** Parameters of its own path, with the values of its route's path; and the resources whose `ids` its body needs. */
  params?: Record<string, string>;
  /** Where the resource appears later if the request does not create it itself; `idField` is then of this response. */
  found?: { path: string | ((name: string) => string); idField: string };
}

/** A valid request of a route. */
export interface Sample {
  /** The resource of each parameter of the path, from any group. */
  params?: Record<string, string>;
  /** Parameters of the path that name one of the service's built-in kinds, the same for everybody. */
  kinds?: Record<string, string>;
  query?: string;
  body?: Record<string, unknown>;
  /** Fields of the body that contain the id of a resource, if the request must succeed. */
  names?: Record<string, string>;
}

/** What a group adds to the tests of every route. */
export interface GroupSamples {
  /** By the names that `params` use. */
  things?: Record<string, Thing>;
  /** One row per route, by its name. */
  routes: Record<string, Sample>;
  /** Routes, as `METHOD /path`, that are not in the contract but that the group needs. */
  additions?: string[];
}
