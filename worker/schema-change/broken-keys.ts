// Foreign keys that lead nowhere, in the tables a change can affect, before and after it.
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { BrokenKeys } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause } from '../sessions/session.ts';
import type { Work } from './work.ts';

/** Most rows whose keys are compared one by one; beyond that, only their number. */
const MAX_KNOWN_ROWS = 100_000;

interface Found {
  readonly counts: ReadonlyMap<string, number>;
  readonly rows: ReadonlySet<string>;
  /** Why a key cannot be followed at all, by table. */
  readonly mismatches: ReadonlyMap<string, string>;
}

/** Tables with foreign keys to one of `tables`, and those of them that have any themselves. */
export function tablesWithKeys(connection: Connection, tables: readonly string[]): readonly string[] {
  const wanted = new Set(tables.map((name) => name.toLowerCase()));
  const edges = connection.all(
    `SELECT m.name, f."table" FROM main.sqlite_schema m, pragma_foreign_key_list(m.name, 'main') f WHERE m.type = 'table'`,
  ) as readonly (readonly [string, string])[];
  const found = edges.filter((edge) => edge.some((name) => wanted.has(name.toLowerCase())));
  return [...new Set(found.map(([name]) => name))];
}

export function* findBrokenKeys(work: Work, tables: readonly string[]): Generator<Pause, Found> {
  const counts = new Map<string, number>();
  const rows = new Set<string>();
  const mismatches = new Map<string, string>();
  for (const table of tables) {
    work.tell(`Checking the foreign keys of ${table}`);
    try {
      const broken = work.connection.all(
        `SELECT parent, count(*) FROM pragma_foreign_key_check(?, 'main') GROUP BY 1`,
        [table],
      ) as readonly (readonly [string, number])[];
      for (const [parent, count] of broken) {
        counts.set(`${table}\0${parent}`, count);
        if (rows.size + count > MAX_KNOWN_ROWS) continue;
        const ids = work.connection.all(`SELECT rowid FROM pragma_foreign_key_check(?, 'main') WHERE parent = ?`, [
          table,
          parent,
        ]);
        // In a table without row ids all of them are NULL.
        ids.forEach(([id], at) => rows.add(`${table}\0${parent}\0${id === null ? `#${at}` : String(id)}`));
      }
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'stopped') throw error;
      mismatches.set(table, whatHappened(known));
    }
    yield* work.look();
  }
  return { counts, rows, mismatches };
}

/** Broken keys in `after` that were not in `before`. */
export function newlyBroken(before: Found, after: Found): readonly BrokenKeys[] {
  const rowsOf = (found: Found, key: string): ReadonlySet<string> =>
    new Set([...found.rows].filter((row) => row.startsWith(`${key}\0`)));
  return Array.from(after.counts, ([key, count]) => {
    const [table, parent] = key.split('\0') as [string, string];
    const [known, was] = [rowsOf(after, key), rowsOf(before, key)];
    const isKnown = known.size === count && was.size === (before.counts.get(key) ?? 0);
    const added = isKnown ? [...known].filter((row) => !was.has(row)).length : count - (before.counts.get(key) ?? 0);
    return { table, parent, count: added };
  }).filter(({ count }) => count > 0);
}

export function newMismatches(before: Found, after: Found): readonly (readonly [table: string, message: string])[] {
  return [...after.mismatches].filter(([table]) => !before.mismatches.has(table));
}
