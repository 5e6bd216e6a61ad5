import { expect, it } from "vitest";
import { type FileImport, findFolderCircles } from "./folder-circles.ts";

const at = (from: string, to: string, typeOnly = false): FileImport => ({ from, to, typeOnly });
const circlesOf = (imports: FileImport[], ...allowed: Parameters<typeof findFolderCircles>[2]) =>
  findFolderCircles("shared", imports, allowed).circles;

it("finds no circle where imports go down", () => {
  const imports = [at("shared/b/x.ts", "shared/a/x.ts"), at("shared/b/inner/x.ts", "shared/b/y.ts")];
  expect(circlesOf(imports)).toEqual([]);
});

it("finds folders that import each other through different files", () => {
  const imports = [
    at("shared/a/x.ts", "shared/b/x.ts"),
    at("shared/b/y.ts", "shared/c/x.ts"),
    at("shared/c/y.ts", "shared/a/y.ts"),
  ];
  expect(circlesOf(imports)).toEqual([["shared/a", "shared/b", "shared/c"]]);
});

it("finds a circle of a folder and one in it", () => {
  const imports = [at("shared/a/x.ts", "shared/a/inner/x.ts"), at("shared/a/inner/y.ts", "shared/a/y.ts")];
  expect(circlesOf(imports)).toEqual([["shared/a", "shared/a/inner"]]);
});

it("finds a circle of two folders that only their inner folders close", () => {
  const imports = [at("shared/a/one/x.ts", "shared/b/one/x.ts"), at("shared/b/two/x.ts", "shared/a/two/x.ts")];
  expect(circlesOf(imports)).toEqual([["shared/a", "shared/b"]]);
});

it("finds a circle that types close, unless it is allowed", () => {
  const imports = [at("shared/a/x.ts", "shared/b/inner/x.ts", true), at("shared/b/inner/y.ts", "shared/a/y.ts")];
  const allowed = { from: "shared/a", to: "shared/b", why: "names a type" };
  expect(circlesOf(imports)).not.toEqual([]);
  expect(circlesOf(imports, allowed)).toEqual([]);
  const atRunTime = imports.map((each) => ({ ...each, typeOnly: false }));
  expect(circlesOf(atRunTime, allowed)).not.toEqual([]);
});

it("tells which folders it saw, and what is allowed for nothing", () => {
  const unneeded = { from: "shared/a", to: "shared/c", why: "nothing" };
  const { folders, unused } = findFolderCircles("shared", [at("shared/b/x.ts", "shared/a/x.ts")], [unneeded]);
  expect(folders).toEqual(["shared/a", "shared/b"]);
  expect(unused).toEqual([unneeded]);
});
