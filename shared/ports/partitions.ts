/** The end of the names of partitions of skills. */
export const OF_SKILLS = "-skills";

/**
 * Returns the `org` of the search documents of an organization's skills: a separate partition, so that searches, counts
 * and statistics of memories exclude skills, and vice versa. No organization's id has this suffix.
 */
export function skillsPartition(org: string): string {
  return `${org}${OF_SKILLS}`;
}

/** Whether the partition contains memories, which not every member of the organization may see. */
export function isOfMemories(partition: string): boolean {
  return !partition.endsWith(OF_SKILLS);
}

/** Returns the organization that a partition's documents belong to. */
export function organizationOf(partition: string): string {
  return isOfMemories(partition) ? partition : partition.slice(0, -OF_SKILLS.length);
}
