// Counts how many rows refer to how many, from the rows themselves.
import { AppError } from '#shared/protocol/errors.ts';
import type { KeyColumns, RelationCounts } from '#shared/protocol/schema-diagram.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';

/**
 * Values are compared as foreign keys are, with the affinity and the collation of the target (sqlite.org/foreignkeys.html#fk_basics): it
 * stands on the left. Groups come row by row, because the native engine can only be stopped between rows.
 */
export function* countRelation(turn: Turn, key: KeyColumns): Generator<Pause, RelationCounts> {
  if (key.targetColumns.length === 0 || key.targetColumns.length !== key.columns.length)
    throw AppError.invalid(`“${key.table}” refers to no columns that could be counted.`);
  const { connection } = turn;
  const [table, target] = [`main.${quoteName(key.table)}`, `main.${quoteName(key.target)}`];
  const isWhole = key.columns.map((name) => `c.${quoteName(name)} IS NOT NULL`).join(' AND ');
  const rows = count(connection, `SELECT count(*) FROM ${table}`);
  const whole = count(connection, `SELECT count(*) FROM ${table} c WHERE ${isWhole}`);
  const targets = count(connection, `SELECT count(*) FROM ${target}`);

  const targetNames = key.targetColumns.map((name) => `p.${quoteName(name)}`);
  const pairs = key.columns.map((name, at) => `${targetNames[at]} = c.${quoteName(name)}`).join(' AND ');
  const groups = connection.prepare(
    `SELECT count(*) FROM ${target} p JOIN ${table} c ON ${pairs} GROUP BY ${targetNames.join(', ')}`,
  );
  let [found, referredTo, most, fewest] = [0, 0, 0, Number.POSITIVE_INFINITY];
  try {
    while (groups.step()) {
      const size = Number(groups.value(0));
      found += size;
      referredTo += 1;
      most = Math.max(most, size);
      fewest = Math.min(fewest, size);
      if (performance.now() >= turn.deadlineMs) yield 'reading';
    }
  } finally {
    groups.finalize();
  }
  return {
    rows,
    without: rows - whole,
    broken: Math.max(0, whole - found),
    targets,
    fewest: referredTo < targets || referredTo === 0 ? 0 : fewest,
    average: targets === 0 ? 0 : found / targets,
    most,
  };
}

const count = (connection: Connection, sql: string): number => Number(connection.one(sql)![0]);
