import {
  ForeignApi,
  ForeignError,
  type ForeignList,
  type ForeignPage,
  type ForeignService,
  memberOf,
  objectsIn,
} from "./foreign-api.ts";

export const ZEP_URL = "https://api.getzep.com";
const PAGE = 100;
/** The parts of a user's graph: facts, and summaries of what they are about. */
const PARTS = ["edge", "node"] as const;
/** Vectors, which no import reads. */
const VECTORS = ["fact_embedding", "name_embedding"];

/** Zep's API v2: the facts and nodes in the graph of each user, with the user's id. */
export function zepService(url: string, key: string): ForeignService {
  const api = new ForeignApi(url, `Api-Key ${key}`);
  return {
    async *lists(user) {
      if (user !== undefined) {
        for (const part of PARTS) yield listOf(api, part, user);
        return;
      }
      for (let page = 1; ; page++) {
        const { value } = await api.request("GET", `/api/v2/users-ordered?pageNumber=${page}&pageSize=${PAGE}`);
        const users = objectsIn(memberOf(value, "users") ?? [], "users");
        for (const { user_id } of users) {
          if (typeof user_id === "string") for (const part of PARTS) yield listOf(api, part, user_id);
        }
        if (users.length < PAGE) return;
      }
    },
  };
}

function listOf(api: ForeignApi, part: (typeof PARTS)[number], user: string): ForeignList {
  return {
    name: `${part}s of ${user}`,
    async read(cursor): Promise<ForeignPage> {
      const from = cursor === undefined ? {} : JSON.parse(cursor);
      const path = `/api/v2/graph/${part}/user/${encodeURIComponent(user)}`;
      const { value, headers } = await api.request("POST", path, { limit: PAGE, ...from });
      const found = objectsIn(value ?? [], `${part}s`);
      const next = nextOf(found, headers);
      if (next !== undefined && next === cursor) throw new ForeignError(`${path} repeats a page.`);
      return { rows: found.map((row) => rowOf(row, user)), ...(next !== undefined && { next }) };
    },
  };
}

/** Newer servers name the next page in a header; others continue after the last item's id. */
function nextOf(found: Record<string, unknown>[], headers: Headers): string | undefined {
  const cursor = headers.get("zep-next-cursor");
  if (cursor) return JSON.stringify({ cursor });
  return found.length < PAGE ? undefined : JSON.stringify({ uuid_cursor: found.at(-1)?.uuid });
}

function rowOf(row: Record<string, unknown>, user_id: string): object {
  const kept = Object.entries(row).filter(([name]) => !VECTORS.includes(name));
  return { ...Object.fromEntries(kept), user_id };
}
