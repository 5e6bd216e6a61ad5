import type { GroupSamples } from "./sample.ts";

export const operatorConsole: GroupSamples = {
  routes: {
    readConsole: {},
    readConsoleFile: { kinds: { file: "console.js" } },
  },
  additions: ["GET /console", "GET /console/{file}"],
};
