// Makes file names from names of tables and columns: valid on every system, and unique.
import { trimmed } from '#shared/trimmed.ts';

/** Device names on Windows, with any extension (learn.microsoft.com, Naming Files). */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_LENGTH = 80;

/** A part of a file name: letters, digits and characters without a special meaning on any system. */
export function safeStem(name: string, otherwise: string): string {
  const stem = trimmed(name.replace(/[^\p{L}\p{N}._ -]+/gu, '_').slice(0, MAX_LENGTH), '. ');
  if (stem === '') return otherwise;
  return DEVICES.test(stem) ? `_${stem}` : stem;
}

/** Returns one name for each, in order: `a/b` and `A_B` do not collide on any system. */
export function fileNamesFor(names: readonly string[], extension: string): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const stem = safeStem(name, 'table');
    let free = stem;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem} (${number})`;
    taken.add(free.toLowerCase());
    return `${free}.${extension}`;
  });
}
