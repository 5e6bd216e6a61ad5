import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, openTarget, type Target } from "../support/target.ts";

const MATCHES = 300;
const LIMIT = 50;

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
  for (let start = 0; start < MATCHES; start += LIMIT) {
    const memories = Array.from({ length: LIMIT }, (_, index) => ({
      content: `Hike number ${start + index} passed the old mill and the ford.`,
      user_id: "ann",
      options: { extract_facts: false },
    }));
    expect((await caller.post("/memories/batch", { memories })).status).toBeLessThan(300);
  }
});
afterAll(() => target.close());

const QUERY = "Which hike passed the mill and the ford?";

it.each(["GET /search", "POST /search", "POST /search/advanced", "POST /search/hybrid"])(
  "pages have every match once, and one total (%s)",
  async (route) => {
    const [method, path = ""] = route.split(" ");
    const ids: string[] = [];
    const totals = new Set<number>();
    for (let offset = 0; offset < MATCHES; offset += LIMIT) {
      const { body } =
        method === "GET"
          ? await caller.get(`${path}?${new URLSearchParams({ q: QUERY, limit: `${LIMIT}`, offset: `${offset}` })}`)
          : await caller.post(path, { query: QUERY, options: { limit: LIMIT, offset } });
      const { results, pagination } = body.data;
      ids.push(...results.map(({ id }: { id: string }) => id));
      totals.add(pagination.total);
      expect(pagination.has_next, `${offset}`).toBe(offset + LIMIT < MATCHES);
    }
    expect(new Set(ids).size).toBe(MATCHES);
    expect(ids).toHaveLength(MATCHES);
    expect([...totals]).toEqual([MATCHES]);
  },
);

it("a page has the same results with any limit", async () => {
  const idsOf = async (limit: number, offset: number) => {
    const { body } = await caller.post("/search", { query: QUERY, options: { limit, offset } });
    return body.data.results.map(({ id }: { id: string }) => id);
  };
  const first = await idsOf(50, 90);
  expect([...(await idsOf(20, 90)), ...(await idsOf(30, 110))]).toEqual(first);
});
