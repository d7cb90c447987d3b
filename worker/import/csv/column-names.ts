// Names for columns that a file names twice, or not at all.

/** Unique without regard to case, as SQLite compares names, never empty, and without NUL, which SQL text cannot contain. */
export function uniqueNames(names: readonly string[]): string[] {
  const cleaned = names.map((name) => name.replaceAll('\0', '').trim());
  const taken = new Set(cleaned.map((name) => name.toLowerCase()));
  const used = new Set<string>();
  /** The number after the last one that was given to a name. */
  const numbers = new Map<string, number>();
  return cleaned.map((given, at) => {
    const name = given || `column${at + 1}`;
    let unique = name;
    for (
      let n = numbers.get(name.toLowerCase()) ?? 2;
      used.has(unique.toLowerCase()) || (unique !== given && taken.has(unique.toLowerCase()));
      numbers.set(name.toLowerCase(), ++n)
    )
      unique = `${name}_${n}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
