import { publicUrlOf } from "../../kernel/config.ts";
import type { Runtime } from "../../runtime/context.ts";
import { assertMaySee } from "../../runtime/fetching/secret-destinations.ts";

/** A link to a page of the service with a token. Its host is the operator's setting, never that of a request. */
export function linkWithToken({ config }: Pick<Runtime, "config">, page: string): string {
  const link = `${publicUrlOf(config)}${page}`;
  assertMaySee("mailed_token", link, config);
  return link;
}
