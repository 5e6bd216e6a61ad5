import { assertMaySee } from "../fetching/secret-destinations.ts";
import { publicUrlOf } from "../kernel/config.ts";
import type { Home } from "../platform/context.ts";

/** A link to a page of the service with a token in it. Its host is the operator's setting, never one of a request. */
export function linkWithToken({ config }: Pick<Home, "config">, page: string): string {
  const link = `${publicUrlOf(config)}${page}`;
  assertMaySee("mailed_token", link, config);
  return link;
}
