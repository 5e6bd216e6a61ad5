import * as z from "zod";
import { SECTIONS } from "./profile.ts";

/** A line of a profile and the facts that it rests on. */
export const ProfileLine = z.object({
  text: z.string(),
  fact_ids: z.array(z.string()).describe("The facts that it rests on, the latest first."),
  memory_ids: z.array(z.string()).describe("The memories that state them."),
  observed_at: z.string().optional().describe("When the latest of them was said."),
});

/** A profile in the API's form. */
export const Profile = z.object({
  text: z.string().describe("The sections as plain text."),
  sections: z.array(z.object({ name: z.enum(SECTIONS), lines: z.array(ProfileLine) })),
});
