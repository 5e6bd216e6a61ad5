export * from "./memories/schemas.ts";
export * from "./rest/schemas.ts";
export { CompatQuery } from "./tolerated.ts";
