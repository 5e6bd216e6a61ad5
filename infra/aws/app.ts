import { App } from "aws-cdk-lib";
import { bundleHandlers } from "../bundle.ts";
import { InvalidDeploymentError, readDeployment, usesEmbedder } from "../config.ts";
import { discoverGroups, discoverWorkers } from "../discover.ts";
import { packOnnx } from "../onnx-files.ts";
import { describeCost, monthlyCostOf } from "./monthly-cost.ts";
import { buildService } from "./service.ts";

try {
  await synthesize();
} catch (error) {
  // What the operator chose is explained in one line; other errors include their stack.
  console.error(error instanceof InvalidDeploymentError ? error.message : error);
  process.exit(1);
}

async function synthesize(): Promise<void> {
  const app = new App();
  const deployment = readDeployment(app.node);
  const [bundle, groups, workers] = await Promise.all([bundleHandlers(), discoverGroups(), discoverWorkers()]);
  buildService(app, {
    deployment,
    assetOf: bundle.assetOf,
    onnxFolder: usesEmbedder(deployment, "onnx") ? packOnnx() : undefined,
    groups: groups.map(({ manifest }) => manifest),
    workers: workers.map(({ manifest }) => manifest),
  });
  const templates = app.synth().stacks.map(({ template }) => template);
  console.error(`${deployment.stage}: ${describeCost(monthlyCostOf(templates))}`);
}
