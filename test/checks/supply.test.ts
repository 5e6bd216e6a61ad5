import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { pinned } from "../../infra/base-image.ts";
import { licencesOf, renderLicences } from "../../infra/licences.ts";
import packageJson from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Locked {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  optional?: boolean;
  bin?: Record<string, string>;
}
const packages = Object.entries(lock.packages as Record<string, Locked>).filter(([name]) => name !== "");

describe("what an installation fetches", () => {
  it("is verified by a SHA-512 in the lock file", () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""))).toEqual([]);
  });

  it("runs no script but those that package.json names", () => {
    const withScripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = withScripts.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
    expect([...new Set(names)].filter((name) => !(name in packageJson.allowScripts) && name !== "fsevents")).toEqual(
      [],
    );
    expect(packageJson.allowScripts).not.toHaveProperty("node");
  });

  it("includes a Node that runs the service, for each platform, by the lock file", () => {
    const nodes = packages.filter(([, { bin, optional }]) => bin?.node !== undefined && optional);
    expect(nodes.map(([name]) => name.slice("node_modules/".length)).sort()).toEqual(
      Object.keys(packageJson.optionalDependencies).sort(),
    );
    for (const [, { version = "" }] of nodes) expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(24);
  });
});

describe("licences", () => {
  const component = (name: string, ...ids: string[]) => {
    return { name, version: "1.0.0", licenses: ids.map((id) => ({ license: { id } })) };
  };

  it("are grouped, and one that is missing or not allowed is refused", () => {
    const components = [component("a", "MIT"), component("b", "GPL-3.0-only"), component("c"), component("png-js")];
    const report = licencesOf({ components });
    expect(report.refused).toEqual(["b 1.0.0: GPL-3.0-only", "c 1.0.0: none"]);
    expect(renderLicences(report)).toContain("MIT\n  a 1.0.0\n  png-js 1.0.0\n");
  });

  it("of packages that declare none are in NOTICE", () => {
    const notice = readFileSync(`${ROOT}/NOTICE`, "utf8");
    for (const name of ["png-js", "dejavu-fonts-ttf"]) {
      const { version } = (lock.packages as Record<string, Locked>)[`node_modules/${name}`] ?? {};
      expect(notice).toContain(`${name} ${version}`);
    }
  });
});

describe("the base image", () => {
  const DIGEST = `sha256:${"a".repeat(64)}`;

  it("is pinned in every FROM line, and pinned anew", () => {
    const dockerfile = readFileSync(`${ROOT}/Dockerfile`, "utf8");
    const once = pinned(dockerfile, "node:24-slim", DIGEST);
    expect(once.match(/^FROM node:24-slim@sha256:a{64}( AS install)?$/gm)).toHaveLength(2);
    const again = `sha256:${"b".repeat(64)}`;
    expect(pinned(once, "node:24-slim", again)).toBe(pinned(dockerfile, "node:24-slim", again));
  });

  it.each(["", "latest", "sha256:abc"])("is never pinned to %j", (digest) => {
    expect(() => pinned("FROM node:24-slim", "node:24-slim", digest)).toThrow("no digest");
  });
});

it("the container of the service is read-only, and has and gains no capabilities", () => {
  const { services } = parse(readFileSync(`${ROOT}/compose.yaml`, "utf8"));
  const { read_only, cap_drop, security_opt } = services.memory;
  expect({ read_only, cap_drop, security_opt }).toEqual({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
  });
});

it("the image's context has what the Dockerfile copies", () => {
  const lines = (name: string) => readFileSync(`${ROOT}/${name}`, "utf8").split("\n");
  const copies = lines("Dockerfile").filter((line) => line.startsWith("COPY ") && !line.includes("--from="));
  const copied = copies.flatMap((line) => line.split(" ").slice(1, -1));
  const kept = lines(".dockerignore").flatMap((line) => (line.startsWith("!") ? line.slice(1) : []));
  expect(copied.length).toBeGreaterThan(0);
  expect(
    copied.filter((name) => !kept.some((each) => `${name}/`.startsWith(`${each}/`) || each.startsWith(`${name}/`))),
  ).toEqual([]);
});
