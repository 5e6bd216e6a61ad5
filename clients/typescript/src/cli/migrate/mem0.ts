import {
  ForeignApi,
  type ForeignList,
  type ForeignPage,
  type ForeignService,
  memberOf,
  objectsIn,
} from "./foreign-api.ts";

export const MEM0_URL = "https://api.mem0.ai";
const PAGE = 100;
/** The owners of memories, by the field that names them. */
const OWNERS = ["user", "agent", "app", "run"];

/** The platform of mem0: the memories of each user, agent, app and run. A memory of two of them is fetched twice. */
export function mem0Service(url: string, key: string): ForeignService {
  const api = new ForeignApi(url, `Token ${key}`);
  return {
    async *lists(user) {
      if (user !== undefined) {
        yield listOf(api, "user", user);
        return;
      }
      const { value } = await api.request("GET", "/v1/entities/");
      const listed = objectsIn(memberOf(value, "results") ?? value, "entities");
      for (const { type, name } of listed) {
        if (typeof name === "string" && OWNERS.includes(String(type))) yield listOf(api, String(type), name);
      }
    },
  };
}

function listOf(api: ForeignApi, type: string, name: string): ForeignList {
  return {
    name: `${type} ${name}`,
    async read(cursor = "1"): Promise<ForeignPage> {
      const path = `/v3/memories/?page=${cursor}&page_size=${PAGE}`;
      const { value } = await api.request("POST", path, { filters: { [`${type}_id`]: name } });
      const rows = objectsIn(memberOf(value, "results"), "memories");
      return { rows, ...(memberOf(value, "next") && rows.length > 0 ? { next: String(Number(cursor) + 1) } : {}) };
    },
  };
}
