// How SQLite would run a statement: the lines of EXPLAIN QUERY PLAN.
import { fail } from '#shared/protocol/errors.ts';
import type { PlanLine } from '#shared/protocol/query.ts';
import type { Connection } from '../engines/engine.ts';
import { leadingKeyword, splitStatements } from '#shared/split-statements.ts';

/** Statements with a plan. Anything else must not get here: a PRAGMA, for one, acts while it is prepared. */
const EXPLAINED = new Set(['SELECT', 'WITH', 'VALUES', 'INSERT', 'UPDATE', 'DELETE', 'REPLACE']);

/** Parameters need no values. @throws AppError `sql` as SQLite reports it, `invalid` if there is more than one statement */
export function queryPlan(connection: Connection, sql: string): readonly PlanLine[] {
  assertOne(sql);
  if (!isExplained(sql)) return [];
  return connection.all(`EXPLAIN QUERY PLAN ${sql}`).map(([id, parent, estimate, detail]) => ({
    id: Number(id),
    parent: Number(parent),
    detail: String(detail),
    cost: Number(estimate) > 0 ? 2 ** (Number(estimate) / 10) : null,
  }));
}

/** @throws AppError `invalid` if the text is not one statement that has a plan */
export function assertExplained(sql: string): void {
  assertOne(sql);
  if (!isExplained(sql)) fail('invalid', 'This statement has no query plan: it neither reads nor changes rows.');
}

const isExplained = (sql: string): boolean => EXPLAINED.has(leadingKeyword(sql));

function assertOne(sql: string): void {
  if (splitStatements(sql).length > 1) fail('invalid', 'Only one statement can be explained at a time. Select one.');
}
