import { App } from "aws-cdk-lib";
import { bundleHandlers } from "./bundle.ts";
import { readDeployment } from "./config.ts";
import { discoverGroups, discoverWorkers } from "./discover.ts";
import { buildService } from "./service.ts";

const app = new App();
const [bundle, groups, workers] = await Promise.all([bundleHandlers(), discoverGroups(), discoverWorkers()]);
buildService(app, {
  deployment: readDeployment(app.node),
  bundleFolder: bundle.folder,
  groups: groups.map(({ manifest }) => manifest),
  workers: workers.map(({ manifest }) => manifest),
});
app.synth();
