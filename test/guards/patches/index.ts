import type { Patch } from "../patch.ts";
import { BOUND_PATCHES } from "./bounds.ts";
import { CREDENTIAL_PATCHES } from "./credentials.ts";
import { DESTINATION_PATCHES } from "./destinations.ts";
import { NAME_PATCHES } from "./names.ts";
import { ORGANIZATION_PATCHES } from "./organizations.ts";
import { PERMISSION_PATCHES } from "./permissions.ts";
import { SIGNATURE_PATCHES } from "./signatures.ts";
import { VIEWER_PATCHES } from "./viewers.ts";

/** Every guard of the house that behaviour shows. A comparison in constant time is none: nothing but a clock tells it. */
export const PATCHES: readonly Patch[] = [
  ...PERMISSION_PATCHES,
  ...CREDENTIAL_PATCHES,
  ...ORGANIZATION_PATCHES,
  ...VIEWER_PATCHES,
  ...SIGNATURE_PATCHES,
  ...DESTINATION_PATCHES,
  ...BOUND_PATCHES,
  ...NAME_PATCHES,
];
