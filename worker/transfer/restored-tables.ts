// Full-text indexes whose content came row by row: each is checked against its text, and rebuilt where it does not match.
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import type { Scratch } from './scratch.ts';

const FULL_TEXT = new Set(['fts3', 'fts4', 'fts5']);

/** Uses its own connection, because the one that wrote the tables may remember other content. Returns whole sentences. */
export function restoreIndexes(scratch: Scratch, names: readonly string[]): readonly string[] {
  const connection = scratch.open({ durability: 'balanced', scratch: true });
  try {
    return names.flatMap((name) => restore(connection, name));
  } finally {
    connection.close();
  }
}

function restore(connection: Connection, name: string): readonly string[] {
  const sql = String(
    connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name])?.[0] ?? '',
  );
  const module = /\bUSING\s+["'`[]?(\w+)/i.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!FULL_TEXT.has(module)) return [];
  const table = quoteName(name);
  // The 1 makes FTS5 compare an index with the table it indexes, whose row ids may have changed.
  const check =
    module === 'fts5'
      ? `INSERT INTO ${table}(${table}, rank) VALUES('integrity-check', 1)`
      : `INSERT INTO ${table}(${table}) VALUES('integrity-check')`;
  try {
    connection.run(check);
    return [];
  } catch {
    return rebuild(connection, name);
  }
}

function rebuild(connection: Connection, name: string): readonly string[] {
  const table = quoteName(name);
  try {
    connection.run(`INSERT INTO ${table}(${table}) VALUES('rebuild')`);
    return [`The full-text index “${name}” did not match its text, so it was rebuilt.`];
  } catch (error) {
    return [`The full-text index “${name}” may not find everything: ${whatHappened(toAppError(error))}`];
  }
}
