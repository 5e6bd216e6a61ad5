import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { App, type Stack } from "aws-cdk-lib";
import cdk from "../../../cdk.json" with { type: "json" };
import type { GroupManifest, WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { Capability } from "../../../shared/ports/ports.ts";
import { readDeployment, usesEmbedder } from "../../config.ts";
import { discoverGroups, discoverWorkers } from "../../discover.ts";
import { buildService } from "../service.ts";

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are free-form JSON, and assertions say what they expect
  Properties: Record<string, any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  Metadata?: Record<string, any>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  UpdatePolicy?: Record<string, unknown>;
  DependsOn?: string[];
}

export interface CfnTemplate {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown }>;
}

export type StackName = "data" | "workers" | "api" | "observability";

export interface Synthesized {
  groups: GroupManifest[];
  workers: WorkerManifest[];
  templates: Record<StackName, CfnTemplate>;
  /** Undefined unless the context requests one. */
  firewall: CfnTemplate | undefined;
  /** The warnings of CDK about the stacks, and its requests to the account. */
  remarks: unknown[];
}

/** The minimum context of prod. */
export const PROD = { stage: "prod", alarmEmail: "operator@example.com" };

/** Additional stand-ins, so that every construct is synthesized even if the service does not use it. */
const STAND_INS = {
  groups: [
    {
      name: "stand-in",
      prefixes: ["/stand-in"],
      capabilities: [
        "records",
        "search",
        "blobs",
        "queue:stand-in-normal" as Capability,
        "embedder",
        "models",
        "mailer",
        "secrets:sealing",
        "secrets:providers",
      ],
      memoryMb: 256,
      timeoutSeconds: 10,
    },
  ],
  workers: [
    {
      name: "follow-stand-in",
      source: { stream: { kinds: ["stand_in", "stand_in_version"] } },
      capabilities: ["records", "search"],
      memoryMb: 256,
      timeoutSeconds: 30,
    },
    {
      name: "work-off-stand-in",
      source: {
        queues: { names: ["stand-in-critical", "stand-in-normal"], batchSize: 10, maxReceives: 3, maxConcurrency: 2 },
      },
      capabilities: ["records", "queue:stand-in-critical" as Capability],
      memoryMb: 256,
      timeoutSeconds: 30,
    },
    {
      name: "repeat-stand-in",
      source: { schedule: { everyMinutes: 5 } },
      capabilities: ["records"],
      memoryMb: 256,
      timeoutSeconds: 60,
    },
  ],
} satisfies { groups: GroupManifest[]; workers: WorkerManifest[] };

export interface SynthesisOptions {
  /** Replaces the code of all functions, or of `changed`. */
  code?: string;
  /** The handler of the only function whose code is replaced. */
  changed?: string;
  /** Omits the service's own functions, for tests in which one function represents all: takes a tenth of the time. */
  standInsOnly?: true;
}

/** The service's own functions and the stand-ins, synthesized with the given context. */
export async function synthesize(
  context: Record<string, unknown>,
  { standInsOnly, ...code }: SynthesisOptions = {},
): Promise<Synthesized> {
  const [ownGroups, ownWorkers] = standInsOnly ? [[], []] : await Promise.all([discoverGroups(), discoverWorkers()]);
  const groups = [...ownGroups.map(({ manifest }) => manifest), ...STAND_INS.groups];
  const workers = [...ownWorkers.map(({ manifest }) => manifest), ...STAND_INS.workers];
  const folder = mkdtempSync(path.join(tmpdir(), "memory-service-synth-"));
  try {
    return { groups, workers, ...synthesizeInto(folder, context, code, groups, workers) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function synthesizeInto(
  folder: string,
  context: Record<string, unknown>,
  { code = "", changed }: Omit<SynthesisOptions, "standInsOnly">,
  groups: GroupManifest[],
  workers: WorkerManifest[],
): Pick<Synthesized, "templates" | "firewall" | "remarks"> {
  const assetOf = (handler: string) => {
    const asset = path.join(folder, "bundle", handler);
    mkdirSync(asset, { recursive: true });
    writeFileSync(path.join(asset, "code.mjs"), changed === undefined || changed === handler ? code : "");
    return asset;
  };
  const app = new App({ outdir: path.join(folder, "out"), context: { ...cdk.context, ...context } });
  const deployment = readDeployment(app.node);
  const onnxFolder = usesEmbedder(deployment, "onnx") ? assetOf("onnx") : undefined;
  const service = buildService(app, { deployment, assetOf, onnxFolder, groups, workers });
  const assembly = app.synth();
  const template = ({ stackName }: Stack) => assembly.getStackByName(stackName).template as CfnTemplate;
  return {
    templates: {
      data: template(service.data),
      workers: template(service.workers),
      api: template(service.api),
      observability: template(service.observability),
    },
    firewall: service.firewall && template(service.firewall),
    remarks: [
      // From 400 resources on, CDK tells that 500 are the limit of a stack; deployments.test.ts has a limit of its own.
      ...assembly.stacks.flatMap(({ messages }) => messages.filter(({ level }) => level !== "info")),
      ...(assembly.manifest.missing ?? []),
    ],
  };
}

/** The templates of a deployment, including that of its firewall. */
export function templatesOf({ templates, firewall }: Synthesized): CfnTemplate[] {
  return [...Object.values(templates), ...(firewall ? [firewall] : [])];
}

/** Resources of a type by logical id, in all templates of a deployment. */
export function allResources(type: string, service: Synthesized): [string, Resource][] {
  return resourcesOf(type, ...templatesOf(service));
}

/** Resources of a type by logical id, in the given templates. */
export function resourcesOf(type: string, ...templates: CfnTemplate[]): [string, Resource][] {
  return templates
    .flatMap(({ Resources }) => Object.entries(Resources))
    .filter(([, resource]) => resource.Type === type);
}

/** The only resource of a type. */
export function onlyResource(type: string, template: CfnTemplate): Resource {
  const found = resourcesOf(type, template);
  if (found.length !== 1) throw new Error(`${found.length} resources of type ${type}`);
  return found[0]![1];
}

/** The first resource of a type whose logical id begins like this. */
export function resourceNamed(prefix: string, type: string, template: CfnTemplate): Resource {
  const found = resourcesOf(type, template).find(([id]) => id.startsWith(prefix));
  if (found === undefined) throw new Error(`no resource of type ${type} is named ${prefix}`);
  return found[1];
}

/** The total a month of each column in infra/README.md. */
export function documentedCosts(): { dev: number; small: number; prod: number } {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [dev = 0, small = 0, prod = 0] = [...(/^\| Total \|.*$/m.exec(readme)?.[0] ?? "").matchAll(/about (\d+)/g)].map(
    ([, dollars]) => Number(dollars),
  );
  return { dev, small, prod };
}

/** The environment variables of a function. */
export const variablesOf = ({ Properties }: Resource): Resource["Properties"] =>
  Properties.Environment?.Variables ?? {};
