/** Areas of the API in the order in which a newcomer needs them. */
export const TAG_GROUPS: { name: string; tags: Record<string, string> }[] = [
  {
    name: "Remember and find",
    tags: {
      memories: "Store, read, change and delete memories, their versions, entities and feedback.",
      search: "Find memories by meaning, by words, and by spreading activation.",
      recall: "Get the relevant memories for a question as text for a prompt, and the profile of a user.",
      facts: "Read what memories state as facts with their validity, and correct it.",
    },
  },
  {
    name: "Conversations and content",
    tags: {
      sessions: "Keep conversations and their context, compressed to fit a model's window.",
      sources: "Ingest files, pages and texts as searchable chunks.",
      connections: "Sync sources from other services.",
      transfers: "Import memories and conversations, and export memories.",
    },
  },
  {
    name: "Agents",
    tags: {
      agents: "Define agents and groups, assign skills, share memories, and let them answer.",
      skills: "Keep, find, review and execute skills and chains of skills.",
      mcp: "Use the memory as tools of the Model Context Protocol.",
    },
  },
  {
    name: "Integration",
    tags: {
      webhooks: "Receive events, and look after their deliveries.",
      compatibility: "The interface of mem0, for its published clients.",
    },
  },
  {
    name: "Accounts",
    tags: {
      auth: "Register, sign in and out, and manage passwords and second factors.",
      oauth: "Let clients act for a user, with OAuth 2.1: metadata, tokens and grants.",
      consent: "Decide what a client may do.",
      "api-keys": "Create, rotate and revoke API keys.",
      users: "Manage the organization's users and invitations, and the plans of organizations.",
    },
  },
  {
    name: "Administration",
    tags: {
      health: "Check that the service runs.",
      monitoring: "Read health, metrics and logs of the deployment.",
      compression: "Configure, test and watch compression, storage tiers and the processing pipeline.",
      maintenance: "Clean up, reconcile the stores, and run quarantined work again.",
      backups: "Back up the deployment.",
      console: "The web console.",
      docs: "This reference and its document.",
    },
  },
];
