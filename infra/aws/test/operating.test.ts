import { beforeAll, describe, expect, it } from "vitest";
import { onlyResource, PROD, resourcesOf, type Synthesized, synthesize, templatesOf } from "./synth.ts";

const VAULT = "arn:aws:backup:eu-west-1:111122223333:backup-vault:copies";

let chosen: Synthesized;
let defaults: Synthesized;

beforeAll(async () => {
  chosen = await synthesize({
    ...PROD,
    tracing: "true",
    feedConcurrency: "4",
    backupCopyVaultArn: VAULT,
    provisionedConcurrency: "memories=2,search=1",
    reservedConcurrency: "memories=200,read-memories=50",
  });
  defaults = await synthesize(PROD);
}, 240_000);

const functionsOf = ({ templates }: Synthesized) => resourcesOf("AWS::Lambda::Function", templates.api);

describe("options of operators", () => {
  it("trace all functions that answer requests, or none", () => {
    expect(functionsOf(chosen).length).toBeGreaterThan(10);
    const modes = (service: Synthesized) =>
      new Set(functionsOf(service).map(([, each]) => each.Properties.TracingConfig?.Mode));
    expect([modes(chosen), modes(defaults)]).toEqual([new Set(["Active"]), new Set([undefined])]);
  });

  it("process several batches of each shard of the change feed at once", () => {
    const factors = ({ templates }: Synthesized) =>
      resourcesOf("AWS::Lambda::EventSourceMapping", templates.workers).flatMap(
        ([, { Properties }]) => Properties.ParallelizationFactor ?? [],
      );
    expect(new Set(factors(chosen))).toEqual(new Set([4]));
    expect(new Set(factors(defaults))).toEqual(new Set([1]));
  });

  it("keep instances of groups initialized, and limit the executions of functions", () => {
    const provisioned = ({ templates }: Synthesized) =>
      resourcesOf("AWS::Lambda::Alias", templates.api).flatMap(
        ([, { Properties }]) => Properties.ProvisionedConcurrencyConfig?.ProvisionedConcurrentExecutions ?? [],
      );
    expect([provisioned(chosen).sort(), provisioned(defaults)]).toEqual([[1, 2], []]);
    const reserved = ({ templates }: Synthesized) =>
      resourcesOf("AWS::Lambda::Function", templates.api, templates.workers).flatMap(
        ([, { Properties }]) => Properties.ReservedConcurrentExecutions ?? [],
      );
    expect([reserved(chosen).sort(), reserved(defaults)]).toEqual([[200, 50], []]);
  });

  it("leave most of an account's executions to requests, whatever queues have", () => {
    const limits = resourcesOf("AWS::Lambda::EventSourceMapping", defaults.templates.workers)
      .filter(([, { Properties }]) => Properties.SelfManagedEventSource === undefined && !Properties.StartingPosition)
      .map(([, { Properties }]) => Properties.ScalingConfig?.MaximumConcurrency);
    const unlimited = limits.filter((limit) => limit === undefined).length;
    // Those that read dead letters.
    expect(unlimited).toBeLessThanOrEqual(2);
    expect(limits.reduce((sum, limit = 0) => sum + limit, 0)).toBeLessThan(300);
  });

  it("refuse functions that do not exist, and rollouts without versions", async () => {
    const refused = (context: Record<string, string>) => synthesize({ ...PROD, ...context }, { standInsOnly: true });
    await expect(refused({ reservedConcurrency: "nobody=1" })).rejects.toThrow("reservedConcurrency names nobody");
    await expect(refused({ provisionedConcurrency: "stand-in" })).rejects.toThrow("like memories=2,search=1");
    await expect(refused({ rollout: "at-once", provisionedConcurrency: "stand-in=1" })).rejects.toThrow(
      "rollout=canary",
    );
  });

  it("wait ten minutes for custom resources, not an hour", () => {
    const custom = templatesOf(defaults).flatMap(({ Resources }) =>
      Object.values(Resources).filter(({ Type }) => Type.startsWith("Custom::")),
    );
    expect(custom.length).toBeGreaterThan(2);
    for (const { Type, Properties } of custom) expect(Properties.ServiceTimeout, Type).toBe("600");
  });

  it("copy each daily backup to a vault of another region", () => {
    const rules = ({ templates }: Synthesized) =>
      onlyResource("AWS::Backup::BackupPlan", templates.data).Properties.BackupPlan.BackupPlanRule;
    const lifecycle = { DeleteAfterDays: 35 };
    expect(rules(chosen)[0].CopyActions).toEqual([{ DestinationBackupVaultArn: VAULT, Lifecycle: lifecycle }]);
    expect(rules(defaults)[0].CopyActions).toBeUndefined();
  });
});
