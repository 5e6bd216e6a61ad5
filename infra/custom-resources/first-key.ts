import { bootstrap } from "../../shared/identity/bootstrap.ts";
import { loadConfig } from "../../shared/kernel/config.ts";
import { openFunctionHome } from "../../shared/platform/home.ts";
import { customResource } from "./answer.ts";

/** Custom resource `Custom::FirstKey`: the operator's organization and its key, made once and left alone ever after. */
export const handler = customResource(
  () => "first-key",
  async ({ RequestType }) => {
    if (RequestType === "Delete") return;
    await bootstrap(await openFunctionHome(loadConfig(process.env), ["records", "secrets:bootstrap"]));
  },
);
