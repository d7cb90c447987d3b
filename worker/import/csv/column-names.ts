// Names for columns that a file names twice, or not at all.

const MOST_SHOWN = 5;

/** A sentence about the columns whose names are not those of the file; null: all are. @param given as the file has them */
export function namesSentence(names: readonly string[], given: readonly string[], where: string): string | null {
  const changed = names.filter((name, at) => name !== given[at]?.trim());
  if (changed.length === 0) return null;
  const some = changed.slice(0, MOST_SHOWN).map((name) => `“${name}”`);
  const more = changed.length > MOST_SHOWN ? ` and ${changed.length - MOST_SHOWN} more` : '';
  return `Columns that have no name of their own in the ${where} are called ${some.join(', ')}${more}.`;
}

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
