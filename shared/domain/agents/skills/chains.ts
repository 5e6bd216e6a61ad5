/** Record kind of chains. */
export const CHAIN_KIND = "chain";

/** The list of an organization's chains. */
export const chainsOf = (org: string): string => `${org}#chains`;
