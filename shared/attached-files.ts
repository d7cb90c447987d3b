// The names under which SQL reads attached files, as `name.table`.
import { foldName, isReserved } from './ddl/names.ts';

/** SQLite attaches 10 (sqlite.org/limits.html#max_attached). Two are left for what SQL and Sidelite attach in memory. */
export const MOST_ATTACHED = 8;
const MOST_CHARS = 64;
/** Letters, digits, and underscores, so that SQL needs no quotes. */
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const OWN_SCHEMAS: readonly string[] = ['main', 'temp', 'sidelite_scratch'];

/** Why a file cannot be attached under a name, as a sentence; null: it can. @param taken names of the files that are attached */
export function problemOfAttachedName(name: string, taken: readonly string[]): string | null {
  if (!NAME.test(name) || name.length > MOST_CHARS)
    return `“${name}” cannot be the name of an attached file: it has to be a word of letters, digits, and underscores, and not begin with a digit.`;
  if (OWN_SCHEMAS.includes(foldName(name))) return `“${name}” is the name of a schema that each database has.`;
  if (taken.some((other) => foldName(other) === foldName(name)))
    return `“${name}” is the name of another attached file.`;
  return null;
}

/** The name of the file as far as SQL needs no quotes for it, or with a number if that is taken. */
export function suggestedName(fileName: string, taken: readonly string[]): string {
  const stem = fileName.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+|_+$/g, ''); // prettier-ignore
  const whole = /^\p{N}/u.test(stem) || isReserved(stem) ? `_${stem}` : stem;
  // Half a character is no letter, with any number.
  const base = whole.slice(0, MOST_CHARS - 2).replace(/[\uD800-\uDBFF]$/, '') || 'other';
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`;
    if (problemOfAttachedName(name, taken) === null) return name;
  }
}
