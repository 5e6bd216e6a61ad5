import { newGroup } from "../../shared/runtime/http/group.ts";
import { createChain, deleteChain, executeChain, getChain, listChains, listExecutions } from "./chains.ts";
import { executeSkill } from "./execute.ts";
import { exportSkill, importSkill } from "./folders.ts";
import { extractSkills, suggestSkills, synthesizeSkills } from "./generate.ts";
import { group } from "./group.ts";
import { decideReview, listReviews, readReview } from "./reviews.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";

export const routes = newGroup(group, { permission: "skills:manage" }, { get: { permission: "skills:read" } });

routes.post("/skills", "createSkill", {
  summary: "Create a skill: a trigger and an action",
  limit: "create_skill",
  body: schemas.CreateSkill,
  answer: schemas.Skill,
  status: 201,
  versioned: true,
  errors: ["SKILL_NAME_EXISTS", "LIMIT_REACHED"],
  handler: (ctx, { body }) => service.createSkill(ctx, body),
});

routes.get("/skills", "listSkills", {
  summary: "List skills, most used first, or sorted by created_at, updated_at or name",
  limit: "list_skills",
  query: schemas.ListSkills,
  answer: schemas.SkillList,
  handler: (ctx, { query }) => service.listSkills(ctx, query),
});

routes.get("/skills/search", "searchSkills", {
  summary: "Search skills by keywords and meaning",
  limit: "search_skills",
  query: schemas.SearchSkills,
  answer: schemas.FoundSkills,
  handler: (ctx, { query }) => service.searchSkills(ctx, query),
});

routes.post("/skills/suggest", "suggestSkills", {
  summary: "Suggest existing skills and unsaved drafts for a trigger",
  permission: "skills:read",
  limit: "search_skills",
  readOnly: true,
  body: schemas.SuggestSkills,
  answer: schemas.Suggestions,
  handler: (ctx, { body }) => suggestSkills(ctx, body),
});

routes.post("/skills/synthesize", "synthesizeSkills", {
  summary: "Merge several skills into a new one; the originals are kept",
  limit: "create_skill",
  body: schemas.SynthesizeSkills,
  answer: schemas.Synthesized,
  status: 201,
  errors: ["SKILL_NOT_FOUND", "SKILL_NAME_EXISTS", "INSUFFICIENT_RESULTS", "LIMIT_REACHED"],
  handler: (ctx, { body }) => synthesizeSkills(ctx, body),
});

routes.post("/skills/extract", "extractSkills", {
  summary: "Extract skills from a text and store them",
  limit: "create_skill",
  body: schemas.ExtractSkills,
  answer: schemas.ExtractedSkills,
  status: 201,
  errors: ["LIMIT_REACHED"],
  handler: (ctx, { body }) => extractSkills(ctx, body),
});

routes.post("/skills/import", "importSkill", {
  summary: "Import a skill from the files of a SKILL.md folder",
  limit: "create_skill",
  body: schemas.ImportSkill,
  answer: schemas.Skill,
  status: 201,
  versioned: true,
  errors: ["SKILL_NAME_EXISTS", "VERSION_CONFLICT", "LIMIT_REACHED"],
  handler: (ctx, { body }) => importSkill(ctx, body),
});

routes.get("/skills/{id}/export", "exportSkill", {
  summary: "Export a skill as the files of a SKILL.md folder",
  answer: schemas.ExportedSkill,
  handler: (ctx, { params }) => exportSkill(ctx, params.id),
});

routes.get("/skills/{id}", "getSkill", {
  summary: "Get a skill",
  answer: schemas.Skill,
  versioned: true,
  handler: (ctx, { params }) => service.readSkill(ctx, params.id),
});

routes.put("/skills/{id}", "updateSkill", {
  summary: "Update a skill; creates a new version that needs review",
  body: schemas.UpdateSkill,
  answer: schemas.Skill,
  versioned: true,
  conditional: true,
  errors: ["SKILL_NAME_EXISTS"],
  handler: (ctx, { params, body, ifMatch }) => service.updateSkill(ctx, params.id, body, ifMatch),
});

routes.delete("/skills/{id}", "deleteSkill", {
  summary: "Delete a skill; chains that use it fail",
  answer: schemas.SkillDeleted,
  conditional: true,
  handler: (ctx, { params, ifMatch }) => service.deleteSkill(ctx, params.id, ifMatch),
});

routes.get("/skills/{id}/versions", "listSkillVersions", {
  summary: "List a skill's versions with their evidence, oldest first",
  query: schemas.ListPage,
  answer: schemas.SkillVersionList,
  handler: (ctx, { params, query }) => service.listVersions(ctx, params.id, query),
});

routes.post("/skills/{id}/restore", "restoreSkill", {
  summary: "Restore an old version as a new version that needs review",
  body: schemas.RestoreSkill,
  answer: schemas.Skill,
  versioned: true,
  conditional: true,
  errors: ["VERSION_NOT_FOUND", "SKILL_NAME_EXISTS"],
  handler: (ctx, { params, body, ifMatch }) => service.restoreSkill(ctx, params.id, body, ifMatch),
});

routes.get("/skills/{id}/similar", "findSimilarSkills", {
  summary: "List skills with a similar trigger",
  limit: "search_skills",
  query: schemas.FindSimilar,
  answer: schemas.SimilarSkills,
  handler: (ctx, { params, query }) => service.findSimilar(ctx, params.id, query),
});

routes.post("/skills/{id}/use", "useSkill", {
  summary: "Report a use of a skill; the outcome adjusts its confidence",
  permission: "skills:execute",
  body: schemas.UseSkill,
  answer: schemas.Used,
  errors: ["VERSION_NOT_FOUND"],
  handler: (ctx, { params, body }) => service.useSkill(ctx, params.id, body),
});

routes.post("/skills/{id}/execute", "executeSkill", {
  summary: "Execute a skill in a context",
  permission: "skills:execute",
  limit: "execute_skill",
  body: schemas.ExecuteSkill,
  answer: schemas.Executed,
  errors: ["CONFLICT"],
  handler: (ctx, { params, body }) => executeSkill(ctx, params.id, body),
});

routes.post("/chains", "createChain", {
  summary: "Create a chain of skills; conditions are CEL expressions over context, last (alias result) and step",
  body: schemas.CreateChain,
  answer: schemas.Chain,
  status: 201,
  errors: ["SKILL_NOT_FOUND", "LIMIT_REACHED"],
  handler: (ctx, { body }) => createChain(ctx, body),
});

routes.get("/chains", "listChains", {
  summary: "List chains, newest first",
  query: schemas.ListPage,
  answer: schemas.ChainList,
  handler: (ctx, { query }) => listChains(ctx, query),
});

routes.get("/chains/{id}", "getChain", {
  summary: "Get a chain",
  answer: schemas.Chain,
  handler: (ctx, { params }) => getChain(ctx, params.id),
});

routes.delete("/chains/{id}", "deleteChain", {
  summary: "Delete a chain with its executions",
  answer: schemas.ChainDeleted,
  handler: (ctx, { params }) => deleteChain(ctx, params.id),
});

routes.post("/chains/{id}/execute", "executeChain", {
  summary: "Execute a chain; returns its outcome (completed, prepared, stopped or failed) and the steps that ran",
  permission: "skills:execute",
  limit: "execute_skill",
  body: schemas.ExecuteChain,
  answer: schemas.ChainExecution,
  handler: (ctx, { params, body }) => executeChain(ctx, params.id, body),
});

routes.get("/chains/{id}/executions", "listChainExecutions", {
  summary: "List executions of a chain, newest first",
  query: schemas.ListPage,
  answer: schemas.ChainExecutionList,
  handler: (ctx, { params, query }) => listExecutions(ctx, params.id, query),
});

routes.get("/reviews", "listReviews", {
  summary: "List reviews of skills, newest first; the default is pending reviews",
  query: schemas.ListReviews,
  answer: schemas.ReviewList,
  handler: (ctx, { query }) => listReviews(ctx, query),
});

routes.get("/reviews/{id}", "getReview", {
  summary: "Get a review",
  answer: schemas.Review,
  handler: (ctx, { params }) => readReview(ctx, params.id),
});

routes.post("/reviews/{id}", "decideReview", {
  summary: "Approve or reject the skill version of a review; not allowed for agents' keys",
  allowsAgentKeys: false,
  body: schemas.DecideReview,
  answer: schemas.Review,
  errors: ["CONFLICT"],
  handler: (ctx, { params, body }) => decideReview(ctx, params.id, body),
});
