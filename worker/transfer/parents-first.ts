// An order of tables in which each one comes after those that its foreign keys refer to.

/** @param parentsOf tables that a table refers to; those that refer to each other stay in their order */
export function parentsFirst(
  tables: readonly string[],
  parentsOf: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const waiting = new Set(tables);
  const begun = new Set<string>();
  const ordered: string[] = [];
  for (const first of tables) {
    // Recursion would be as deep as the longest chain.
    const stack = [first];
    while (stack.length > 0) {
      const table = stack.at(-1)!;
      const parents = begun.has(table)
        ? []
        : (parentsOf.get(table) ?? []).filter((parent) => waiting.has(parent) && !begun.has(parent));
      begun.add(table);
      if (parents.length > 0) {
        stack.push(...parents);
        continue;
      }
      stack.pop();
      if (waiting.delete(table)) ordered.push(table);
    }
  }
  return ordered;
}
