// Tables whose checks come from another database: what SQLite does not understand is left out, and the table is made.
import { whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { createTableSql } from '../import/sql/rewriting.ts';
import type { SqlAction } from '../import/sql/translator.ts';
import { ofStatement } from './statement-faults.ts';

interface LeftPart {
  readonly reason: string;
  readonly text: string;
}

interface CreatedTable {
  /** Why it could not be made; null if it was. */
  readonly problem: string | null;
  readonly left: readonly LeftPart[];
}

export function createTable(
  connection: Connection,
  { table, checks }: Extract<SqlAction, { do: 'create-table' }>,
): CreatedTable {
  const sqlWith = (kept: readonly string[]): string =>
    createTableSql({ ...table, constraints: [...table.constraints, ...kept] });
  const problem = problemOf(() => void connection.run(sqlWith(checks)));
  if (problem === null || checks.length === 0) return { problem, left: [] };
  const left: LeftPart[] = [];
  const kept = checks.filter((check) => {
    const reason = problemOf(() => connection.check(sqlWith([check])));
    if (reason !== null) left.push({ reason: `The CHECK was left out. ${reason}`, text: check });
    return reason === null;
  });
  return { problem: problemOf(() => void connection.run(sqlWith(kept))), left };
}

function problemOf(action: () => void): string | null {
  try {
    action();
    return null;
  } catch (error) {
    return whatHappened(ofStatement(error));
  }
}
