import * as z from "zod";

declare module "../../kernel/config.ts" {
  interface Config extends z.infer<typeof MemoryConfig> {}
}

/** The settings of this folder with their defaults and meanings. */
export const MemoryConfig = z.object({
  SECRETS_POLICY: z
    .enum(["store", "mask", "redact", "block"])
    .optional()
    .describe(
      "What happens to secrets in texts where an organization does not say: see docs/secrets.md; by default mask on a local server and redact on AWS",
    ),
});
