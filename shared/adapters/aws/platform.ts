import path from "node:path";
import { createLanguageModels, openEmbedder } from "../../domain/models/configured.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { portOf } from "../../ports/manifest.ts";
import type { Capability, PortName, Ports } from "../../ports/ports.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { Environment } from "./environment.ts";

export interface AwsPlatformOptions extends Pick<Runtime, "config" | "clock" | "logger"> {
  capabilities: readonly Capability[];
  /** Variables that locate the resources, see `environment.ts`; the default is the process's environment. */
  environment?: Environment;
}

type Opening = Required<Omit<AwsPlatformOptions, "capabilities">>;
/** A reranker exists only on a local server. */
type OpenedName = Exclude<PortName, "reranker">;
type Openers = { [Name in OpenedName]: (opening: Opening) => Promise<Ports[Name]> };

/** Each adapter is loaded when it is opened, so that a function's cold start includes only the clients it uses. */
const OPENERS: Openers = {
  records: async ({ environment, clock }) => (await import("./records.ts")).openRecords(environment, clock),
  inventory: async ({ environment, logger, clock }) =>
    (await import("./inventory.ts")).openInventory(environment, logger, clock),
  search: async (opening) => {
    const { config, environment, clock, logger } = opening;
    const [{ openSearch }, { embeddersById }, space] = await Promise.all([
      import("./search.ts"),
      import("./embedder-by-id.ts"),
      vectorSpace(opening),
    ]);
    return openSearch(environment, space, { clock, logger, openFormer: embeddersById(config, environment) });
  },
  blobs: async ({ environment, logger }) => (await import("./blobs.ts")).openBlobs(environment, logger),
  queue: async ({ environment }) => (await import("./queue.ts")).openQueue(environment),
  embedder: async (opening) => {
    const choice = embedderOf(opening);
    if (choice === "onnx") return (await onnxModels()).createInProcessEmbedder(modelFolder(opening));
    if (choice !== "bedrock") return openEmbedder(opening.config, choice);
    const [{ TitanEmbedder }, model] = await Promise.all([import("./titan-embedder.ts"), titanModel(opening)]);
    return new TitanEmbedder(model);
  },
  reader: async (opening) => {
    const { FACT_READER = embedderOf(opening) === "onnx" ? "onnx" : "rules" } = opening.config;
    if (FACT_READER === "rules") return undefined;
    const { createInProcessReader } = await import("../../domain/models/onnx/onnx-reader.ts");
    return createInProcessReader(path.join(path.dirname(modelFolder(opening)), "reader"));
  },
  models: async ({ config, clock, logger }) =>
    createLanguageModels(config, logger, async (model) =>
      (await import("./bedrock-model.ts")).createBedrockModel(model, { clock, logger }),
    ),
  mailer: async ({ environment }) => (await import("./mailer.ts")).openMailer(environment),
  logs: async ({ environment }) => (await import("./logs.ts")).openLogs(environment),
  secrets: async ({ environment }) => (await import("./secrets.ts")).openSecrets(environment),
};

/** Opens the ports of the capabilities on AWS. Other ports throw on use. Throws if RERANKER or OCR is set. */
export async function openAwsPlatform({
  capabilities,
  environment = process.env,
  ...base
}: AwsPlatformOptions): Promise<Ports> {
  if (base.config.RERANKER !== undefined) throw new Error("RERANKER is for one machine; unset it on AWS");
  if (base.config.OCR !== undefined) throw new Error("OCR is for one machine; unset it on AWS");
  const declared = new Set<PortName>(capabilities.map(portOf));
  const open = <Name extends OpenedName>(name: Name): Promise<Ports[Name]> =>
    declared.has(name) ? OPENERS[name]({ ...base, environment }) : Promise.resolve(unopened(name));
  const [records, inventory, search, blobs, queue, embedder, reader, models, mailer, secrets, logs] = await Promise.all(
    [
      open("records"),
      open("inventory"),
      open("search"),
      open("blobs"),
      open("queue"),
      open("embedder"),
      open("reader"),
      open("models"),
      open("mailer"),
      open("secrets"),
      open("logs"),
    ],
  );
  return { records, inventory, search, blobs, queue, embedder, reader, models, mailer, secrets, logs };
}

/** Replaces a port that was not requested: it can be passed around but throws on use. */
function unopened<Name extends OpenedName>(name: Name): Ports[Name] {
  const refuse = (): never => {
    throw new Error(`the port '${name}' is not among this function's capabilities`);
  };
  // Resolving a promise with it reads `then`.
  return new Proxy({}, { get: (_port, member) => (member === "then" ? undefined : refuse()) }) as NonNullable<
    Ports[Name]
  >;
}

/** The embedder's id and dimensions for search; for Bedrock without loading its client. */
async function vectorSpace(opening: Opening): Promise<Pick<Embedder, "id" | "dimensions">> {
  const choice = embedderOf(opening);
  if (choice === "onnx") return (await onnxModels()).vectorSpaceOf(modelFolder(opening));
  return choice === "bedrock" ? titanModel(opening) : openEmbedder(opening.config, choice);
}

function embedderOf({ config: { EMBEDDER = "bedrock" } }: Opening): NonNullable<Runtime["config"]["EMBEDDER"]> {
  return EMBEDDER;
}

const onnxModels = () => import("../../domain/models/onnx/onnx-embedder.ts");

function modelFolder({ config: { EMBEDDING_MODEL_DIR: folder } }: Opening): string {
  if (folder === undefined) throw new Error("EMBEDDER=onnx needs EMBEDDING_MODEL_DIR on AWS: the model in the layer");
  return folder;
}

async function titanModel({ environment }: Opening) {
  return (await import("./titan-model.ts")).titanModel(environment);
}
