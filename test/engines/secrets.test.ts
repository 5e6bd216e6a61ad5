import { randomUUID } from "node:crypto";
import { ENVIRONMENT } from "../../shared/adapters/aws/environment.ts";
import { openSecrets } from "../../shared/adapters/aws/secrets.ts";
import { describeSecrets } from "../contract/secrets.ts";

describeSecrets("Secrets Manager", async () => {
  const environment = { [ENVIRONMENT.secretPrefix]: `${randomUUID()}/` };
  return { secrets: openSecrets(environment), other: openSecrets(environment), close: async () => {} };
});
