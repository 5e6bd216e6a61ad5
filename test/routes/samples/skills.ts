import type { GroupSamples } from "./sample.ts";

const skill = (name: string) => ({ name, trigger: "a guest asks for tea", action: "Serve tea.", domain: "house" });

export const skills: GroupSamples = {
  things: {
    skill: { path: "/skills", body: () => skill(`Serve tea ${crypto.randomUUID()}`) },
    review: { path: "/skills", body: () => skill(`Serve tea ${crypto.randomUUID()}`), idField: "review_id" },
    chain: {
      path: "/chains",
      params: { skill: "skill" },
      body: ({ ids }) => ({ name: "Welcome", trigger: "a guest arrives", steps: [{ skill_id: ids.skill, order: 1 }] }),
    },
  },
  routes: {
    createSkill: { body: skill("Serve tea") },
    listSkills: { query: "sort=name+asc" },
    searchSkills: { query: "trigger=tea" },
    suggestSkills: { body: { trigger: "a guest asks for tea", context: "When a guest arrives, offer tea." } },
    synthesizeSkills: { body: { skill_ids: ["skill_absent", "skill_missing"], name: "Serve anything" } },
    extractSkills: { body: { content: "When a guest arrives, offer tea." } },
    importSkill: {
      body: {
        files: [
          { path: "SKILL.md", content: "---\nname: serve-tea\ndescription: a guest asks for tea\n---\nServe it." },
        ],
      },
    },
    exportSkill: { params: { id: "skill" } },
    getSkill: { params: { id: "skill" } },
    updateSkill: { params: { id: "skill" }, body: { action: "Serve coffee." } },
    deleteSkill: { params: { id: "skill" } },
    findSimilarSkills: { params: { id: "skill" } },
    listSkillVersions: { params: { id: "skill" } },
    restoreSkill: { params: { id: "skill" }, body: { version: 1 } },
    useSkill: { params: { id: "skill" }, body: { success: true } },
    executeSkill: { params: { id: "skill" }, body: { context: { guest: "Ada" } } },
    createChain: {
      body: { name: "Welcome", trigger: "a guest arrives", steps: [{ skill_id: "skill_absent", order: 1 }] },
    },
    listChains: {},
    getChain: { params: { id: "chain" } },
    deleteChain: { params: { id: "chain" } },
    executeChain: { params: { id: "chain" }, body: { context: { guest: "Ada" } } },
    listChainExecutions: { params: { id: "chain" } },
    listReviews: {},
    getReview: { params: { id: "review" } },
    decideReview: { params: { id: "review" }, body: { approved: true } },
  },
  additions: [
    "POST /skills/import",
    "GET /skills/{id}/export",
    "GET /chains",
    "GET /chains/{id}",
    "DELETE /chains/{id}",
    "GET /skills/{id}/versions",
    "POST /skills/{id}/restore",
  ],
};
