import type { HasPorts } from "../../../runtime/context.ts";
import { seal, unseal } from "../../identity/sealing.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionSecrets } from "./settings.ts";

const sealingContextOf = ({ org, id }: Pick<Connection, "org" | "id">): string => `${org}/${id}/config`;

/** The stored form of a connection's secrets. */
export async function sealSecrets(
  runtime: HasPorts,
  connection: Pick<Connection, "org" | "id">,
  secrets: ConnectionSecrets,
): Promise<Pick<Connection, "sealed" | "secret_names">> {
  const secret_names = Object.keys(secrets).sort();
  if (secret_names.length === 0) return { secret_names };
  return { secret_names, sealed: await seal(runtime, sealingContextOf(connection), JSON.stringify(secrets)) };
}

/** The decrypted secrets of a connection. */
export async function openSecrets(runtime: HasPorts, connection: Connection): Promise<ConnectionSecrets> {
  const { sealed } = connection;
  return sealed === undefined ? {} : JSON.parse(await unseal(runtime, sealingContextOf(connection), sealed));
}
