// Steps on lists, what a name in the form must be, and the collations that forms offer.
import { sameName } from '#shared/ddl/names.ts';

/** Stands for what SQLite does if nothing is written. */
export const DEFAULT = '';
export const COLLATION_OPTIONS: readonly (readonly [string, string])[] = [
  [DEFAULT, 'Default'],
  ['NOCASE', 'NOCASE'],
  ['RTRIM', 'RTRIM'],
  ['BINARY', 'BINARY'],
];

export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, at) => at !== index);
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = without(list, from);
  return [...rest.slice(0, to), list[from]!, ...rest.slice(to)];
}

/** Why it cannot be a name; null when it can. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'A name is needed.';
  return name.includes('\0') ? 'A name cannot have a NUL character.' : null;
}

/** A name as the list has it, whatever case it is referred to by. */
export function asWritten(names: readonly string[], name: string): string {
  return names.find((one) => sameName(one, name)) ?? name;
}
