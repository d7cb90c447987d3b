import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { FUNCTIONS, TABLE_FUNCTIONS } from './sql-functions.ts';
import { PRAGMAS } from './sql-pragmas.ts';

const db = new Sqlite(':memory:');
// Both engines of the product have them, SQLite itself does not.
db.function('regexp', (pattern: unknown, value: unknown) => Number(pattern === value));
db.function('replace_nocase', (text: unknown, _find: unknown, _replacement: unknown) => text);

/** The numbers of arguments a list as `X, Y?, Z…` allows. */
function arity(args: string): { least: number; most: number } {
  const parts = args === '' ? [] : args.split(', ');
  const least = parts.filter((part) => !/[?…]$/.test(part)).length;
  return { least, most: args.includes('…') ? Number.POSITIVE_INFINITY : parts.length };
}

test('every function exists, with the arguments that are shown', () => {
  // log() and if() take the forms SQLite documents; json_* check their arguments when they run.
  const known = new Map<string, number[]>();
  for (const [name, count] of db.prepare('SELECT name, narg FROM pragma_function_list').raw().all() as [
    string,
    number,
  ][])
    known.set(name, [...(known.get(name) ?? []), count]);
  for (const { name, args, text } of FUNCTIONS) {
    const counts = known.get(name) ?? [];
    const { least, most } = arity(args);
    const isVariadic = counts.some((count) => count < 0);
    const isRight = isVariadic
      ? most > 1 || counts.includes(most)
      : Math.min(...counts) === least && Math.max(...counts) === most;
    expect({ name, isKnown: counts.length > 0, isRight, isExplained: text !== '' }).toEqual({
      name,
      isKnown: true,
      isRight: true,
      isExplained: true,
    });
  }
});

test('no built-in function that users call is missing', () => {
  const listed = new Set(FUNCTIONS.map(({ name }) => name));
  const internal =
    /^(?:->|fts|geopoly|rtree|sqlite_(?!version)|current_|load_extension|match|offsets|optimize|subtype|unistr_quote|percentile_|json.*array_insert)/;
  const names = db.prepare('SELECT DISTINCT name FROM pragma_function_list').pluck().all() as string[];
  expect(names.filter((name) => !listed.has(name) && !internal.test(name))).toEqual([]);
});

test('table functions have the columns that are shown', () => {
  for (const { name, columns } of TABLE_FUNCTIONS) {
    const argument = name.startsWith('json') ? "('[1]')" : '';
    const found = db.prepare(`SELECT * FROM ${name}${argument}`).columns();
    expect({ name, columns: found.map((column) => column.name) }).toEqual({ name, columns });
  }
});

test('every PRAGMA exists', () => {
  const known = new Set(db.prepare('SELECT name FROM pragma_pragma_list').pluck().all());
  expect(PRAGMAS.filter(({ name }) => !known.has(name))).toEqual([]);
});
