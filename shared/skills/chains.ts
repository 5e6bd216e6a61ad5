/** Kind of the records of chains. */
export const CHAIN_KIND = "chain";

/** Where an organization's chains are listed. */
export const chainsOf = (org: string): string => `${org}#chains`;
