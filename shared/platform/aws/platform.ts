import { createLanguageModels, openEmbedder } from "../../models/configured.ts";
import { portOf } from "../capabilities.ts";
import type { Home } from "../context.ts";
import type { Capability, Embedder, PortName, Ports } from "../ports.ts";
import type { Environment } from "./environment.ts";

export interface AwsPlatformOptions extends Pick<Home, "config" | "clock" | "logger"> {
  capabilities: readonly Capability[];
  /** Where the resources are, as `environment.ts` names them; the process's own by default. */
  environment?: Environment;
}

type Opening = Required<Omit<AwsPlatformOptions, "capabilities">>;
/** A reranker is for one machine. */
type OpenedName = Exclude<PortName, "reranker">;
type Openers = { [Name in OpenedName]: (opening: Opening) => Promise<Ports[Name]> };

/** Each adapter is loaded when it is opened: a function pays at its cold start for the clients it uses and no others. */
const OPENERS: Openers = {
  records: async ({ environment, clock }) => (await import("./records.ts")).openRecords(environment, clock),
  inventory: async ({ environment, logger, clock }) =>
    (await import("./inventory.ts")).openInventory(environment, logger, clock),
  search: async (opening) => {
    const { config, environment, clock, logger } = opening;
    const [{ openSearch }, { formerEmbedders }, space] = await Promise.all([
      import("./search.ts"),
      import("./former-embedders.ts"),
      vectorSpace(opening),
    ]);
    return openSearch(environment, space, { clock, logger, formers: formerEmbedders(config, environment) });
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
  models: async ({ config, clock, logger }) =>
    createLanguageModels(config, logger, async (model) =>
      (await import("./bedrock-model.ts")).createBedrockModel(model, { clock, logger }),
    ),
  mailer: async ({ environment }) => (await import("./mailer.ts")).openMailer(environment),
  logs: async ({ environment }) => (await import("./logs.ts")).openLogs(environment),
  secrets: async ({ environment }) => (await import("./secrets.ts")).openSecrets(environment),
};

/** Opens the ports that the capabilities name, on AWS. The others refuse any use. Throws where RERANKER is set. */
export async function openAwsPlatform({
  capabilities,
  environment = process.env,
  ...foundation
}: AwsPlatformOptions): Promise<Ports> {
  if (foundation.config.RERANKER !== undefined) throw new Error("RERANKER is for one machine; unset it on AWS");
  const declared = new Set<PortName>(capabilities.map(portOf));
  const open = <Name extends OpenedName>(name: Name): Promise<Ports[Name]> =>
    declared.has(name) ? OPENERS[name]({ ...foundation, environment }) : Promise.resolve(unopened(name));
  const [records, inventory, search, blobs, queue, embedder, models, mailer, secrets, logs] = await Promise.all([
    open("records"),
    open("inventory"),
    open("search"),
    open("blobs"),
    open("queue"),
    open("embedder"),
    open("models"),
    open("mailer"),
    open("secrets"),
    open("logs"),
  ]);
  return { records, inventory, search, blobs, queue, embedder, models, mailer, secrets, logs };
}

/** Stands where a port was not asked for: it may be passed around, but throws when anything of it is used. */
function unopened<Name extends OpenedName>(name: Name): Ports[Name] {
  const refuse = (): never => {
    throw new Error(`the port '${name}' is not among this function's capabilities`);
  };
  // A promise that resolves to it asks whether it is one itself.
  return new Proxy({} as Ports[Name], { get: (_port, member) => (member === "then" ? undefined : refuse()) });
}

/** What search must know of the embedder; for Bedrock's without loading its client. */
async function vectorSpace(opening: Opening): Promise<Pick<Embedder, "id" | "dimensions">> {
  const choice = embedderOf(opening);
  if (choice === "onnx") return (await onnxModels()).vectorSpaceOf(modelFolder(opening));
  return choice === "bedrock" ? titanModel(opening) : openEmbedder(opening.config, choice);
}

function embedderOf({ config: { EMBEDDER = "bedrock" } }: Opening): NonNullable<Home["config"]["EMBEDDER"]> {
  return EMBEDDER;
}

const onnxModels = () => import("../../models/onnx/onnx-embedder.ts");

function modelFolder({ config: { EMBEDDING_MODEL_DIR: folder } }: Opening): string {
  if (folder === undefined) throw new Error("EMBEDDER=onnx needs EMBEDDING_MODEL_DIR on AWS: the model in the layer");
  return folder;
}

async function titanModel({ environment }: Opening) {
  return (await import("./titan-model.ts")).titanModel(environment);
}
