import { App } from "aws-cdk-lib";
import { bundleHandlers } from "../bundle.ts";
import { readDeployment, usesEmbedder } from "../config.ts";
import { discoverGroups, discoverWorkers } from "../discover.ts";
import { packOnnx } from "../onnx-files.ts";
import { buildService } from "./service.ts";

const app = new App();
const [bundle, groups, workers] = await Promise.all([bundleHandlers(), discoverGroups(), discoverWorkers()]);
const deployment = readDeployment(app.node);
buildService(app, {
  deployment,
  bundleFolder: bundle.folder,
  onnxFolder: usesEmbedder(deployment, "onnx") ? packOnnx() : undefined,
  groups: groups.map(({ manifest }) => manifest),
  workers: workers.map(({ manifest }) => manifest),
});
app.synth();
