import type { GroupSamples } from "./sample.ts";

export const operatorConsole: GroupSamples = {
  routes: {
    readConsole: {},
    readConsoleFile: { kinds: { file: "main.js" } },
  },
  additions: ["GET /console", "GET /console/{file}"],
};
