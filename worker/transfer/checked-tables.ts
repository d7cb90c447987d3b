// Tables whose checks and generated columns come from another database: what SQLite does not understand of these is left out.
import { whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { createTableSql, type MadeColumn, type MadeTable } from '../import/sql/rewriting.ts';
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
  const problem = problemOf(() => void connection.run(withConstraints(table, checks)));
  const generated = table.columns.filter(isGenerated);
  if (problem === null || checks.length + generated.length === 0) return { problem, left: [] };
  const left: LeftPart[] = [];
  const compiles = (what: string, text: string, sql: string): boolean => {
    const reason = problemOf(() => connection.check(sql));
    if (reason !== null) left.push({ reason: `${what} was left out. ${reason}`, text });
    return reason === null;
  };
  const stored = table.columns.filter((column) => !isGenerated(column));
  const columns = table.columns.filter(
    (column) =>
      !isGenerated(column) ||
      compiles(
        `The generated column “${column.name}”`,
        `${column.name} ${column.type}${column.rest}`,
        createTableSql({ ...table, columns: [...stored, column], constraints: [] }),
      ),
  );
  const rest = { ...table, columns };
  const kept = checks.filter((check) => compiles('The CHECK', check, withConstraints(rest, [check])));
  return { problem: problemOf(() => void connection.run(withConstraints(rest, kept))), left };
}

const isGenerated = ({ rest }: MadeColumn): boolean => / AS \(/.test(rest);

const withConstraints = (table: MadeTable, more: readonly string[]): string =>
  createTableSql({ ...table, constraints: [...table.constraints, ...more] });

function problemOf(action: () => void): string | null {
  try {
    action();
    return null;
  } catch (error) {
    return whatHappened(ofStatement(error));
  }
}
