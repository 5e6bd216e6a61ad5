export type * from "./api.ts";
export { MemoryClient } from "./client.ts";
export * from "./errors.ts";
export type { ClientOptions, RequestOptions } from "./transport.ts";
export * as webhooks from "./webhooks.ts";
