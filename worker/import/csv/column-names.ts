// What columns are called that a file names twice, or not at all.

/** Unique without regard to case, as SQLite compares names, and never empty. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names.map((name) => name.trim().toLowerCase()));
  const used = new Set<string>();
  return names.map((given, at) => {
    const name = given.trim() || `column${at + 1}`;
    let unique = name;
    for (let n = 2; used.has(unique.toLowerCase()) || (unique !== given.trim() && taken.has(unique.toLowerCase())); n++)
      unique = `${name}_${n}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
