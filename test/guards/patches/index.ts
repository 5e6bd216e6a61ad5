import type { Patch } from "../patch.ts";
import { PERMISSION_PATCHES } from "./permissions.ts";

/** Every guard of the house that behaviour shows. A comparison in constant time is none: nothing but a clock tells it. */
export const PATCHES: readonly Patch[] = [...PERMISSION_PATCHES];
