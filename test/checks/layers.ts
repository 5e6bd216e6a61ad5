/** `npm run check:layers`: which part of the house may import which. Fails on a breach, and on seeing next to nothing. */
import { cruise, type IForbiddenRuleType, type IReporterOutput } from "dependency-cruiser";

const SOURCES = ["shared", "functions", "infra"];

/** Far below what there is; a parser that understands nothing sees none. */
const FEWEST_MODULES = 60;
const FEWEST_DEPENDENCIES = 150;

/** `@types/aws-lambda` has types and no code. */
const TYPES_ONLY_PACKAGE = "^aws-lambda$";
/** The server, the agents that count the sockets of AWS's clients, and the client of Lambda's API in the function itself. */
const NO_CLIENTS_OF_OTHERS = "^(infra/local/endpoint|shared/platform/aws/sockets|shared/lambda/shutdown)\\.ts$";
const TESTS = "\\.test\\.ts$";
const ADAPTERS = "^shared/platform/(aws|local)/";
const CLOUD_OR_HTTP = "node_modules/(@aws-sdk|@hono|hono|@opensearch-project)/";

/** Where ports meet adapters and verbs meet HTTP; everything else in shared/ knows neither. */
const MEETING_PLACES = [
  "^shared/platform/(aws|local)/",
  "^shared/http/",
  "^shared/lambda/",
  "^shared/platform/home\\.ts$",
];

const RULES: IForbiddenRuleType[] = [
  {
    name: "groups-stay-apart",
    comment: "What two groups or workers need lives in shared/.",
    severity: "error",
    from: { path: "^functions/((?:workers/)?[^/]+)/" },
    to: { path: "^functions/", pathNot: "^functions/$1/" },
  },
  {
    name: "kernel-stands-alone",
    comment: "The kernel is pure; nothing of ours is below it.",
    severity: "error",
    from: { path: "^shared/kernel/", pathNot: TESTS },
    to: { path: "^(shared|functions|infra)/", pathNot: "^shared/kernel/" },
  },
  {
    name: "domain-knows-no-cloud-and-no-http",
    comment: "Domains speak to ports; adapters and transports are somebody else's.",
    severity: "error",
    from: { path: "^shared/", pathNot: [...MEETING_PLACES, TESTS] },
    to: { path: [ADAPTERS, CLOUD_OR_HTTP] },
  },
  {
    name: "verbs-reach-no-cloud-and-no-http",
    comment: "Services, schemas and records of a group can be called without either, also through what they import.",
    severity: "error",
    from: { path: "^functions/.+/(service|schemas|records)\\.ts$" },
    to: { path: [ADAPTERS, CLOUD_OR_HTTP], reachable: true },
  },
  {
    name: "fetching-alone-sends-requests",
    comment: "It decides where secrets may go, and follows no redirect with them.",
    severity: "error",
    from: { path: "^(shared|functions|infra/local)/", pathNot: ["^shared/fetching/", NO_CLIENTS_OF_OTHERS, TESTS] },
    to: {
      path: "^(http|https|http2|tls|undici)$|node_modules/(undici|axios|got|node-fetch|ky)/",
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "service-knows-no-deployment",
    comment: "infra/ is built on the service, never the other way round.",
    severity: "error",
    from: { path: "^(shared|functions)/", pathNot: TESTS },
    to: { path: "^infra/" },
  },
  {
    name: "document-is-made-at-build-time",
    comment: "What makes openapi.json costs 30 ms to load; the service serves the file.",
    severity: "error",
    from: { path: "^(functions|infra/local)/", pathNot: TESTS },
    to: { path: "^shared/http/openapi\\.ts$", reachable: true },
  },
  {
    name: "homes-stay-apart",
    comment: "Neither home's adapters may lean on the other's.",
    severity: "error",
    from: { path: "^shared/platform/(aws|local)/", pathNot: TESTS },
    to: { path: ADAPTERS, pathNot: "^shared/platform/$1/" },
  },
  {
    name: "no-development-packages-in-production",
    comment: "What runs must be installed where it runs.",
    severity: "error",
    from: { path: "^(shared|functions|infra/local)/", pathNot: TESTS },
    to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
  },
  {
    name: "no-circles",
    comment: "A circle has no first line to read.",
    severity: "error",
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
  },
  {
    name: "no-dead-ends",
    comment: "Every import leads somewhere.",
    severity: "error",
    from: {},
    to: { couldNotResolve: true, pathNot: TYPES_ONLY_PACKAGE },
  },
];

const { output }: IReporterOutput = await cruise(SOURCES, {
  validate: true,
  ruleSet: { forbidden: RULES },
  parser: "swc",
  doNotFollow: { path: "node_modules" },
  moduleSystems: ["es6"],
  enhancedResolveOptions: {
    exportsFields: ["exports"],
    conditionNames: ["import", "node", "default", "types"],
    extensions: [".ts", ".js", ".mjs"],
  },
});
if (typeof output === "string") throw new Error(output);

const { modules, summary } = output;
const own = modules.filter(({ source }) => SOURCES.some((folder) => source.startsWith(`${folder}/`)));
const dependencies = own.reduce((sum, module) => sum + module.dependencies.length, 0);
for (const { rule, from, to } of summary.violations) process.stderr.write(`${rule.name}: ${from} -> ${to}\n`);
process.stdout.write(
  `layers: ${own.length} modules, ${dependencies} dependencies, ${summary.violations.length} breaches\n`,
);
if (own.length < FEWEST_MODULES || dependencies < FEWEST_DEPENDENCIES) {
  process.stderr.write(
    `too few to be true: at least ${FEWEST_MODULES} modules and ${FEWEST_DEPENDENCIES} dependencies were to be seen\n`,
  );
  process.exitCode = 1;
}
if (summary.violations.length > 0) process.exitCode = 1;
