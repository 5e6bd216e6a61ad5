import { loadScript } from "../../../functions/docs/service.ts";
import type { GroupSamples } from "./sample.ts";

export const docs: GroupSamples = {
  routes: {
    openConsole: {},
    readOpenApi: {},
    readReference: {},
    readReferenceFile: { kinds: { file: (await loadScript()).name } },
  },
  additions: ["GET /", "GET /openapi.json", "GET /docs", "GET /docs/{file}"],
};
