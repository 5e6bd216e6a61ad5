import * as z from "zod";
import { label } from "../../shared/http/fields.ts";

/** Whom a connection is for. An agent's own key confines it to what that agent may see. */
export const Scope = z.object({
  user_id: label.optional().meta({ description: "The tools read and write memories of this user alone." }),
});

/** JSON-RPC 2.0; the protocol says more of it, and answers its own errors. */
export const Message = z
  .record(z.string(), z.unknown())
  .meta({ description: "A message of the Model Context Protocol." });
