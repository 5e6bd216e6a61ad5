import * as z from "zod";
import { filledText } from "../../../runtime/schemas/fields.ts";
import { MAX_NAME_LENGTH, MAX_VALUE_LENGTH } from "./records.ts";

const name = filledText(MAX_NAME_LENGTH);
/** Keeps the precision of the input. */
const date = z.union([z.iso.datetime({ offset: true }), z.iso.date()], "use ISO 8601, such as 2026-01-31");

/** The fields that a correction may contain. */
export const correctionFields = {
  subject: name.optional(),
  attribute: name.optional(),
  value: filledText(MAX_VALUE_LENGTH).optional(),
  valid_from: date.nullable().optional(),
  valid_to: date.nullable().optional(),
};
