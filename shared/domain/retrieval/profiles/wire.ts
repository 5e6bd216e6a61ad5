import * as z from "zod";
import { SECTIONS } from "./profile.ts";

/** A line of a profile and the facts that it rests on. */
export const ProfileLine = z.object({ text: z.string(), fact_ids: z.array(z.string()) });

/** A profile in the API's form. */
export const Profile = z.object({
  text: z.string().describe("The sections as plain text."),
  sections: z.array(z.object({ name: z.enum(SECTIONS), lines: z.array(ProfileLine) })),
});
