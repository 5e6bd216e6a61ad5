/**
 * `npm run check:layers`: which part of the code may import which. Fails on a violation, and if it finds implausibly few
 * modules.
 */
import { cruise, type IForbiddenRuleType, type IReporterOutput } from "dependency-cruiser";
import { type FileImport, findFolderCircles, type TypeCircle } from "./folder-circles.ts";

const SOURCES = ["shared", "functions", "infra"];

/** Far below the actual numbers; a parser that understands nothing finds none. */
const MIN_MODULES = 60;
const MIN_DEPENDENCIES = 150;
const MIN_FOLDERS = 70;

/** `@types/aws-lambda` contains only types. */
const TYPES_ONLY_PACKAGE = "^aws-lambda$";
/** Packages of infra/aws, which is not installed everywhere. */
const CDK = "^(aws-cdk-lib|cdk-nag|constructs)(/|$)";
/** The server, the agents that count the sockets of AWS clients, and the client of Lambda's own API. */
const NO_CLIENTS_OF_OTHERS = "^(infra/local/endpoint|shared/adapters/aws/sockets|shared/entry/lambda/shutdown)\\.ts$";
/** What Lambda loads of a group or worker. */
const HANDLERS = "^functions/(workers/)?[^/]+/handler\\.ts$";
const TESTS = "\\.test\\.ts$";
const ADAPTERS = "^shared/adapters/(aws|local)/";
/** The code for requests and responses. */
const HTTP = "^shared/runtime/http/";
const CLOUD_OR_HTTP = "node_modules/(@aws-sdk|@hono|hono|@opensearch-project)/";

/** Where ports meet adapters and verbs meet HTTP; other code in shared/ knows neither adapters nor HTTP. */
const MEETING_PLACES = ["^shared/adapters/", HTTP, "^shared/entry/"];

/** The layers of shared/, lowest first. The adapters are beside the domain. */
const FLOORS = ["kernel", "ports", "language", "runtime", "domain", "entry"];

/** Finds the Tesseract program when the runtime that uses it opens. */
const RESOLVES_TESSERACT = "^shared/domain/knowledge/sources/extraction/tesseract\\.ts$";

/** Cycles of folders that exist only in types, not at run time. */
const TYPE_CIRCLES: TypeCircle[] = [
  { from: "shared/runtime", to: "shared/domain/identity", why: "A runtime names its authenticator and tokens." },
  {
    from: "shared/runtime/audit",
    to: "shared/runtime",
    why: "Entries are made for a runtime, whose settings make some.",
  },
  { from: "shared/runtime/fetching", to: "shared/domain/knowledge/connections", why: "It names the providers." },
  { from: "shared/domain/memory/facts", to: "shared/domain/memory", why: "Facts are read from a memory." },
  {
    from: "shared/domain/knowledge/connections/providers",
    to: "shared/domain/knowledge/connections",
    why: "A provider reads the settings of its connection.",
  },
  {
    from: "shared/domain/knowledge/sources/extraction",
    to: "shared/domain/knowledge/sources",
    why: "Extraction names the kinds of files.",
  },
  { from: "shared/domain/agents/skills/folders", to: "shared/domain/agents/skills", why: "A folder holds a skill." },
  { from: "functions/sessions/export", to: "functions/sessions", why: "A schema says what is exported." },
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
  ...FLOORS.flatMap((floor, index) => floorRules(floor, FLOORS.slice(index + 1))),
  {
    name: "adapters-know-models-and-ranking-alone",
    comment: "Adapters implement ports. What both platforms compute alike is in these two domains.",
    severity: "error",
    from: { path: "^shared/adapters/", pathNot: TESTS },
    to: {
      path: "^(shared/(domain|entry)|functions)/",
      pathNot: ["^shared/domain/(models|retrieval)/", RESOLVES_TESSERACT],
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "entry-points-alone-open-adapters",
    comment: "Everything else is given its ports.",
    severity: "error",
    from: { path: "^(shared|functions)/", pathNot: ["^shared/(adapters|entry)/", TESTS] },
    to: { path: "^shared/adapters/" },
  },
  {
    name: "handlers-alone-are-entry-points",
    comment: "All else of groups and workers stands on the floors below.",
    severity: "error",
    from: { path: "^functions/", pathNot: [HANDLERS, TESTS] },
    to: { path: ["^shared/entry/", HANDLERS] },
  },
  {
    name: "domain-knows-no-cloud-and-no-http",
    comment: "Domains speak to ports; adapters and transports are somebody else's.",
    severity: "error",
    from: { path: "^shared/", pathNot: [...MEETING_PLACES, TESTS] },
    to: { path: [ADAPTERS, HTTP, CLOUD_OR_HTTP] },
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
    from: {
      path: "^(shared|functions|infra/local)/",
      pathNot: ["^shared/runtime/fetching/", NO_CLIENTS_OF_OTHERS, TESTS],
    },
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
    to: { path: "^shared/entry/openapi/", reachable: true },
  },
  {
    name: "platforms-stay-apart",
    comment: "Neither platform's adapters import the other's.",
    severity: "error",
    from: { path: ADAPTERS, pathNot: TESTS },
    to: { path: ADAPTERS, pathNot: "^shared/adapters/$1/" },
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
    to: { couldNotResolve: true, pathNot: [TYPES_ONLY_PACKAGE, CDK] },
  },
];

/** A layer must not load code of a higher one at run time. */
function floorRules(floor: string, above: string[]): IForbiddenRuleType[] {
  return [
    {
      name: `${floor}-stands-on-what-is-below`,
      comment: `Floors from the lowest: ${FLOORS.join(", ")}, functions.`,
      severity: "error",
      from: { path: `^shared/${floor}/`, pathNot: TESTS },
      to: { path: `^(shared/(${[...above, "none"].join("|")})|functions|infra)/`, dependencyTypesNot: ["type-only"] },
    },
  ];
}

const { output }: IReporterOutput = await cruise(SOURCES, {
  validate: true,
  ruleSet: { forbidden: RULES },
  parser: "swc",
  doNotFollow: { path: "node_modules" },
  // What CDK writes.
  exclude: { path: "^infra/aws/(cdk\\.out|dist)/" },
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
const imports = own
  .filter(({ source }) => !source.endsWith(".test.ts"))
  .flatMap(({ source: from, dependencies: all }) =>
    all.map(({ resolved: to, dependencyTypes }): FileImport => {
      return { from, to, typeOnly: dependencyTypes.includes("type-only") };
    }),
  );
const reports = ["shared", "functions"].map((root) => {
  const allowed = TYPE_CIRCLES.filter(({ from }) => from.startsWith(`${root}/`));
  return findFolderCircles(root, imports, allowed);
});
const folders = reports.flatMap((report) => report.folders);
const circles = reports.flatMap((report) => report.circles);
const unused = reports.flatMap((report) => report.unused);
for (const circle of circles) process.stderr.write(`circle of folders: ${circle.join(" ")}\n`);
for (const { from, to } of unused) process.stderr.write(`allowed to types, and needed by none: ${from} -> ${to}\n`);
process.stdout.write(
  `folders: ${folders.length} in shared/ and functions/, ${circles.length} circles, ${TYPE_CIRCLES.length} allowed for types alone\n`,
);
process.stdout.write(
  `layers: ${own.length} modules, ${dependencies} dependencies, ${summary.violations.length} breaches\n`,
);
if (own.length < MIN_MODULES || dependencies < MIN_DEPENDENCIES || folders.length < MIN_FOLDERS) {
  process.stderr.write(
    `too few to be true: expected at least ${MIN_MODULES} modules, ${MIN_DEPENDENCIES} dependencies and ${MIN_FOLDERS} folders\n`,
  );
  process.exitCode = 1;
}
if (summary.violations.length + circles.length + unused.length > 0) process.exitCode = 1;
