import { describe, expect, it } from "vitest";
import { registrationPlanOf } from "../domain/identity/config.ts";
import { loadConfig } from "./config.ts";

describe("settings", () => {
  it.each(["debug", "DEBUG", "Info", "WARN", "eRRor"])("accept the log level %s", (level) => {
    expect(loadConfig({ LOG_LEVEL: level }).LOG_LEVEL).toBe(level.toLowerCase());
  });

  it("refuse any other log level", () => {
    for (const LOG_LEVEL of ["loud", "inf", "info "]) expect(() => loadConfig({ LOG_LEVEL })).toThrow("LOG_LEVEL: ");
  });

  it.each([
    { platform: "one machine", environment: {}, plan: "enterprise" },
    { platform: "AWS", environment: { PLATFORM: "aws" }, plan: "free" },
    { platform: "one machine with a plan", environment: { DEFAULT_PLAN: "free" }, plan: "free" },
    { platform: "AWS with a plan", environment: { PLATFORM: "aws", DEFAULT_PLAN: "team" }, plan: "team" },
  ])("register organizations of $platform on the plan $plan", ({ environment, plan }) => {
    expect(registrationPlanOf(loadConfig(environment))).toBe(plan);
  });
});
