import type { GroupSamples } from "./sample.ts";

export const operatorConsole: GroupSamples = {
  routes: {
    readConsole: {},
    readConsoleFile: { kinds: { file: "console.js" } },
    readConsoleView: { kinds: { section: "settings", view: "search" } },
  },
  additions: ["GET /console", "GET /console/{file}", "GET /console/{section}/{view}"],
};
