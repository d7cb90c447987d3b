// Makes column names unique.

/** The names in order; a repeated name gets a number. Names that differ only in case are the same in SQL. */
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
