import * as z from "zod";

/** How memories enter the service. */
export const DOORS = ["memories", "mem0", "mcp", "sessions", "imports", "sources", "connections", "unknown"] as const;

/** Who stored a memory first, by which door, and from what. No later write changes it. */
export const Provenance = z
  .object({
    written_by: z
      .string()
      .describe("The key or user whose request stored it; `unknown` for a fact that an earlier release stored."),
    agent_id: z.string().optional().describe("The agent whose key that was."),
    door: z
      .enum(DOORS)
      .describe("`memories` are this API's own routes; `unknown` is a memory that an earlier release stored."),
    derived_from: z
      .string()
      .optional()
      .describe("The id of the session, event, import, source or connection that it was made from."),
  })
  .describe("Who stored it first, by which door, and from what. Nothing changes it afterwards.");
