import * as z from "zod";
import { flag } from "../../kernel/settings.ts";

declare module "../../kernel/config.ts" {
  interface Config extends z.infer<typeof IntegrationConfig> {}
}

/** The settings of this folder with their defaults and meanings. */
export const IntegrationConfig = z.object({
  MCP_MEM0_TOOLS: flag.default(false).describe("Offer the tools of MCP under mem0's names too, such as `add_memory`"),
});
