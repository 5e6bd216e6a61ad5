import { invalid, type ServiceError } from "../../shared/kernel/errors.ts";
import type { RefusalForm } from "../../shared/runtime/http/group.ts";
import { JsonRpcError } from "./schemas.ts";

/** Header with the protocol version. Requests without it use 2025-03-26. */
export const PROTOCOL_VERSION_HEADER = "mcp-protocol-version";
/** Headers of version 2026-07-28 that repeat what the body says. */
export const HEADERS = [PROTOCOL_VERSION_HEADER, "mcp-method", "mcp-name"] as const;

/** First version without batches: a request contains one message. Versions are dates. */
const FIRST_WITHOUT_BATCHES = "2025-06-18";
/** Error codes of JSON-RPC; the last is reserved for implementation-defined server errors. */
const [PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR, SERVER_ERROR] = [-32_700, -32_600, -32_603, -32_000];

const CODES: Partial<Record<ServiceError["code"], number>> = {
  MALFORMED_JSON: PARSE_ERROR,
  VALIDATION_ERROR: INVALID_REQUEST,
  INTERNAL_ERROR,
};

/** JSON-RPC errors. The id is null because no message was parsed. */
export const JSON_RPC_REFUSAL: RefusalForm = {
  schema: JsonRpcError,
  toBody: ({ code, message, details }) => {
    return { jsonrpc: "2.0", id: null, error: { code: CODES[code] ?? SERVER_ERROR, message, data: { code, details } } };
  },
};

/** Throws VALIDATION_ERROR for a batch if the protocol version does not support batches. */
export function refuseNewBatch(version: string | undefined): void {
  if (version === undefined || version < FIRST_WITHOUT_BATCHES) return;
  throw invalid({
    field: "body",
    problem: `must be one message since version ${FIRST_WITHOUT_BATCHES} of the protocol`,
  });
}
