// The names under which SQL reads attached files, as `name.table`.
import { foldName } from './ddl/names.ts';

/** SQLite attaches 10 (sqlite.org/limits.html#max_attached). Two are left for what SQL and Sidelite attach in memory. */
export const MOST_ATTACHED = 8;
/** Letters, digits, and underscores, so that SQL needs no quotes. */
const NAME = /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u;
const OWN_SCHEMAS: readonly string[] = ['main', 'temp', 'sidelite_scratch'];

/** Why a file cannot be attached under a name, as a sentence; null: it can. @param taken names of the files that are attached */
export function problemOfAttachedName(name: string, taken: readonly string[]): string | null {
  if (!NAME.test(name))
    return `“${name}” cannot be the name of an attached file: it has to be a word of letters, digits, and underscores, and not begin with a digit.`;
  if (OWN_SCHEMAS.includes(foldName(name))) return `“${name}” is the name of a schema that each database has.`;
  if (taken.some((other) => foldName(other) === foldName(name)))
    return `“${name}” is the name of another attached file.`;
  return null;
}
