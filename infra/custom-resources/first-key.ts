import { bootstrap } from "../../shared/domain/identity/bootstrap.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { openFunctionRuntime } from "../../shared/entry/runtime.ts";
import { customResource } from "./answer.ts";

/** Custom resource `Custom::FirstKey`: the operator's organization and its key, created once. */
export const handler = customResource(
  () => "first-key",
  async ({ RequestType }) => {
    if (RequestType === "Delete") return;
    await bootstrap(await openFunctionRuntime(loadConfig(process.env), ["records", "secrets:bootstrap"]));
  },
);
