import { expect, it, onTestFinished } from "vitest";
import { createOrganization, openService } from "../../../test/support/service.ts";

it("does not join what stood before and after an excluded sentence", async () => {
  const service = await openService({ FACT_READER: "rules" });
  onTestFinished(service.close);
  const { key } = await createOrganization(service);
  const content = "I never travel. My salary is 4,000 euros. I go to Rome by train.";
  const body = { messages: [{ role: "user", content }], user_id: "ada", excludes: "salary" };
  const added = await service.request("POST", "/v3/memories/add/", { key, body });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  const contents = async (): Promise<string[]> => {
    const { body: listed } = await service.request("GET", "/memories?user_id=ada", { key });
    return listed.data.memories.map((memory: { content: string }) => memory.content);
  };
  await expect.poll(async () => (await contents()).length).toBeGreaterThan(0);
  for (const each of await contents()) expect(content).toContain(each);
  expect((await contents()).join("\n")).not.toContain("salary");
});
