import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { type RestoreRequest, restoreInto } from "../../infra/restore.ts";
import { COMPONENTS } from "../../shared/ports/components.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type Caller, eventually, type Target } from "./target.ts";

export const ALL = { components: [...COMPONENTS], include_logs: true };

/** Requests a backup and waits until it is completed. */
export async function backUp(operator: Caller, body: object = ALL) {
  const asked = await operator.post("/admin/backup", body);
  expect(asked.status, JSON.stringify(asked.body)).toBe(202);
  const { id } = asked.body.data;
  return eventually(async () => {
    const { body: listed } = await operator.get("/admin/backups");
    const found = listed.data.backups.find((each: { id: string }) => each.id === id);
    expect(found?.error).toBeNull();
    expect(found?.status).toBe("completed");
    return found;
  });
}

export async function downloadLatest(target: Target, operator: Caller): Promise<Buffer> {
  const answer = await operator.get("/admin/backup/latest");
  if (answer.status !== 303) {
    expect(answer.status).toBe(200);
    return answer.bytes;
  }
  const response = await target.follow(answer.headers.get("location") ?? "");
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

export function restore(runtime: Runtime, bytes: Buffer, request: Partial<RestoreRequest> = {}) {
  const file = path.join(temporaryFolder(), "archive");
  writeFileSync(file, bytes);
  return restoreInto(runtime, { file, withoutSecrets: false, ...request });
}
