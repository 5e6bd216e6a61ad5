import { Architecture, Code, LayerVersion, Runtime } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { MODEL_FOLDER } from "../../onnx-files.ts";

/** The model's path in functions with the layer, which Lambda unpacks below /opt. */
export const LAYER_MODEL_FOLDER = `/opt/${MODEL_FOLDER}`;

/** ONNX Runtime and the embedding model for functions that embed without Bedrock. */
export class OnnxLayer extends LayerVersion {
  /** `folder` is an output of `packOnnx`. */
  constructor(scope: Construct, folder: string) {
    super(scope, "OnnxLayer", {
      code: Code.fromAsset(folder),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.ARM_64],
      description: "ONNX Runtime and the embedding model",
    });
  }
}
