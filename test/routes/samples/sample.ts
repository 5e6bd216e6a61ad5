/** Something that paths name, and how it is made over HTTP by the organization whose key is given. */
export interface Thing {
  path: string;
  /** Where two organizations' must differ to be two, `name` tells them apart. */
  body: Record<string, unknown> | ((given: { name: string; ids: Record<string, string> }) => Record<string, unknown>);
  /** Field of the answer that holds the id, dotted where it is within another; `id` unless told. */
  idField?: string;
  /** What its own path's parameters name, the same as the path's it is made for; and what its body wants the `ids` of. */
  params?: Record<string, string>;
  /** Where it comes to be found some time after the request, which did not make it by itself; `idField` is then of that answer. */
  found?: { path: string; idField: string };
}

/** What a valid request of a route looks like. */
export interface Sample {
  /** What each parameter of the path names: a thing of any group. */
  params?: Record<string, string>;
  /** Parameters of the path that name one of the service's own kinds, the same for everybody. */
  kinds?: Record<string, string>;
  query?: string;
  body?: Record<string, unknown>;
  /** Fields of the body that hold the id of a thing, where the request is to succeed. */
  names?: Record<string, string>;
}

/** What a group adds to the tests of every route. */
export interface GroupSamples {
  /** Named by what `params` call them. */
  things?: Record<string, Thing>;
  /** One row a route, by its name. */
  routes: Record<string, Sample>;
  /** Routes, as `METHOD /path`, that the contract does not name and the group needs besides. */
  additions?: string[];
}
