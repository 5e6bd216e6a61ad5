import { ENVIRONMENT, type Environment } from "./environment.ts";

const DEFAULT_MODEL = "amazon.titan-embed-text-v2:0";
const DEFAULT_DIMENSIONS = 1024;
const KNOWN_DIMENSIONS = [256, 512, 1024];

/** The Titan model and vector length; separate from the embedder, so that search need not load Bedrock. */
export interface TitanModel {
  id: string;
  modelId: string;
  dimensions: number;
}

export function titanModel(environment: Environment): TitanModel {
  const dimensions = Number(environment[ENVIRONMENT.embeddingDimensions] || DEFAULT_DIMENSIONS);
  const model = titanModels(environment).find((candidate) => candidate.dimensions === dimensions);
  if (model === undefined) {
    throw new Error(`${ENVIRONMENT.embeddingDimensions} is one of ${KNOWN_DIMENSIONS.join(", ")}, not ${dimensions}`);
  }
  return model;
}

/** The deployment's model with each supported vector length. */
export function titanModels(environment: Environment): TitanModel[] {
  const modelId = environment[ENVIRONMENT.embeddingModel] || DEFAULT_MODEL;
  return KNOWN_DIMENSIONS.map((dimensions) => ({ id: `${modelId}/${dimensions}`, modelId, dimensions }));
}
