// Applies a profile to a database, and reads back the result. Words and order are SQLite's.
import { PRAGMA_NAMES, pragmaFromSqlite, pragmaToSqlite } from '#shared/bench/profile.ts';
import type { Pragmas } from '#shared/bench/profile.ts';

/** Calls a driver provides; `ask` returns the first value of the first row. */
export interface PragmaCalls {
  exec(sql: string): void;
  ask(sql: string): unknown;
}

/** `journal_mode` late: a database in WAL cannot change its page size, and exclusive locking has to come before WAL. */
const ORDER: readonly (keyof Pragmas)[] = [
  'locking_mode',
  'page_size',
  'journal_mode',
  'synchronous',
  'cache_size',
  'temp_store',
  'foreign_keys',
  'mmap_size',
];

export function setPragmas({ exec, ask }: PragmaCalls, pragmas: Pragmas): void {
  for (const name of ORDER) {
    if (name === 'page_size') changePageSize({ exec, ask }, pragmas.page_size);
    // Also set values that are already right: until `synchronous` is set explicitly, a build may lower it at the first read of a WAL.
    else exec(`PRAGMA ${name} = ${pragmaToSqlite(pragmas[name])}`);
  }
}

/** {@link setPragmas} for an asynchronous engine. It skips pragmas it does not know; the values are read back and shown. */
export async function setPragmasLater(exec: (sql: string) => Promise<unknown>, pragmas: Pragmas): Promise<void> {
  for (const name of ORDER) await exec(`PRAGMA ${name} = ${pragmaToSqlite(pragmas[name])}`).catch(() => undefined);
}

/** For a database that already has a file, this takes a VACUUM and no WAL. */
function changePageSize({ exec, ask }: PragmaCalls, bytes: number): void {
  if (ask('PRAGMA page_size') === bytes) return;
  if (ask('PRAGMA journal_mode') === 'wal') exec('PRAGMA journal_mode = DELETE');
  exec(`PRAGMA page_size = ${bytes}`);
  if (ask('PRAGMA page_size') !== bytes) exec('VACUUM');
}

export function readPragmas(ask: PragmaCalls['ask']): Partial<Pragmas> {
  return asText(PRAGMA_NAMES.map((name) => [name, ask(`PRAGMA ${name}`)]));
}

export async function readPragmasLater(ask: (sql: string) => Promise<unknown>): Promise<Partial<Pragmas>> {
  const answers: Answer[] = [];
  for (const name of PRAGMA_NAMES) answers.push([name, await ask(`PRAGMA ${name}`).catch(() => null)]);
  return asText(answers);
}

type Answer = readonly [name: keyof Pragmas, answer: unknown];

function asText(answers: readonly Answer[]): Partial<Pragmas> {
  return Object.fromEntries(
    answers
      .filter(([, answer]) => answer !== undefined && answer !== null)
      .map(([name, answer]) => [name, pragmaFromSqlite(name, answer)]),
  );
}
