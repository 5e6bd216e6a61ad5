export { CompatQuery } from "./common/tolerated.ts";
export * from "./memories/schemas.ts";
export * from "./rest/schemas.ts";
export * from "./self-hosted/schemas.ts";
