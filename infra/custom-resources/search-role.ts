import { Client } from "@opensearch-project/opensearch";
import * as z from "zod";
import { required } from "../../shared/adapters/aws/environment.ts";
import { signRequests } from "../../shared/adapters/aws/signing.ts";
import { customResource } from "./answer.ts";

const PropertiesSchema = z.object({
  Endpoint: z.url(),
  Role: z.string().min(1),
  IndexPrefix: z.string().min(1),
  Members: z.array(z.string().startsWith("arn:")),
});

type Properties = z.infer<typeof PropertiesSchema>;

/** The used part of an OpenSearch client. */
export interface SecurityApi {
  request(request: { method: "PUT" | "DELETE"; path: string; body?: object }): Promise<unknown>;
}

/** Custom resource `Custom::SearchRole`: a role inside OpenSearch with its IAM roles. */
export const handler = customResource(
  ({ ResourceProperties }) => String(ResourceProperties.Role),
  async ({ RequestType, ResourceProperties }) => {
    const properties = PropertiesSchema.parse(ResourceProperties);
    const security = connect(properties.Endpoint);
    await (RequestType === "Delete" ? removeRole(security, properties) : putRole(security, properties));
  },
);

/** Creates or replaces the role and its mapping; idempotent. */
export async function putRole(security: SecurityApi, { Role, IndexPrefix, Members }: Properties): Promise<void> {
  await security.request({
    method: "PUT",
    path: rolePath(Role),
    body: {
      cluster_permissions: ["cluster_composite_ops", "cluster:monitor/main"],
      index_permissions: [
        {
          index_patterns: [`${IndexPrefix}*`],
          allowed_actions: [
            "crud",
            "create_index",
            // The request that moves the alias to a rebuilt index also deletes the former index.
            "indices:admin/aliases",
            "indices:admin/aliases/get",
            "indices:admin/delete",
            "indices:admin/exists",
            "indices:admin/get",
            "indices:admin/mapping/put",
            "indices:admin/mappings/get",
            "indices:admin/refresh*",
          ],
        },
      ],
    },
  });
  await security.request({ method: "PUT", path: mappingPath(Role), body: { backend_roles: Members } });
}

/** Removes the mapping and the role; missing ones are ignored. */
export async function removeRole(security: SecurityApi, { Role }: Pick<Properties, "Role">): Promise<void> {
  for (const path of [mappingPath(Role), rolePath(Role)]) {
    await security.request({ method: "DELETE", path }).catch((error: unknown) => {
      const isAbsent = error instanceof Error && "statusCode" in error && error.statusCode === 404;
      if (!isAbsent) throw error;
    });
  }
}

function rolePath(role: string): string {
  return `/_plugins/_security/api/roles/${role}`;
}

function mappingPath(role: string): string {
  return `/_plugins/_security/api/rolesmapping/${role}`;
}

function connect(endpoint: string): SecurityApi {
  const region = required(process.env, "AWS_REGION");
  return new Client({ ...signRequests(region), node: endpoint }).transport;
}
