// Operations on lists, rules for names in the form, and the collations that forms offer.
import { sameName } from '#shared/ddl/names.ts';

/** Stands for SQLite's default if nothing is written. */
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

/** A copy with `count` elements from `at` on replaced by `others`. */
export function spliced<T>(list: readonly T[], at: number, count: number, ...others: readonly T[]): T[] {
  return [...list.slice(0, at), ...others, ...list.slice(at + count)];
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = without(list, from);
  return [...rest.slice(0, to), list[from]!, ...rest.slice(to)];
}

export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'Enter a name.';
  return name.includes('\0') ? 'A name cannot contain a NUL character.' : null;
}

/** A name as it is spelled in the list, whatever case is used to refer to it. */
export function asWritten(names: readonly string[], name: string): string {
  return names.find((one) => sameName(one, name)) ?? name;
}

/** The first name with this prefix and a number that is not taken. */
export function freeName(names: readonly string[], beginning: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${beginning}${number}`;
    if (!names.some((taken) => sameName(taken, name))) return name;
  }
}

/** @param own name of the object being renamed */
export function takenProblem(names: readonly string[], own: string): (name: string) => string | null {
  return (name) => {
    const isTaken = names.some((taken) => taken !== own && sameName(taken, name));
    return isTaken ? 'Another column already has this name.' : nameProblem(name);
  };
}
