import * as z from "zod";

/** A file of an export with a link that needs no credential. */
export const LinkedFile = z.object({ download_url: z.string(), bytes: z.int(), memories: z.int() });
