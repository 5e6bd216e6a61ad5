import type { GroupSamples } from "./sample.ts";

export const signingKeys: GroupSamples = {
  routes: {
    rotateSigningKey: { body: {} },
  },
  additions: ["POST /admin/signing-keys/rotate"],
};
