const OF_SKILLS = "-skills";

/**
 * `org` of the search documents of an organization's skills: a partition of its own, so that no search, count or statistic
 * of memories sees a skill, nor the other way round. No organization's id ends like that, and every adapter takes the name.
 */
export function skillsPartition(org: string): string {
  return `${org}${OF_SKILLS}`;
}

/** Whether documents of that `org` are memories, which not everybody in the organization may see. */
export function isOfMemories(partition: string): boolean {
  return !partition.endsWith(OF_SKILLS);
}

/** The organization that a partition's documents belong to. */
export function organizationOf(partition: string): string {
  return isOfMemories(partition) ? partition : partition.slice(0, -OF_SKILLS.length);
}
