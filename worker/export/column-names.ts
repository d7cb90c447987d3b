// Names of columns where each may come once only.

/** The names in their order; what would come again gets a number. SQL takes names for the same whatever their case. */
export function uniqueNames(names: readonly string[], ignoresCase: boolean): string[] {
  const taken = new Set<string>();
  const folded = (name: string): string => (ignoresCase ? name.toLowerCase() : name);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(folded(free)); number++) free = `${name}_${number}`;
    taken.add(folded(free));
    return free;
  });
}
