// The interim table of a rebuild: it has the columns of the table, and nothing else, and holds the rows while the table is created anew.
import type { TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { copyRows } from './copy-rows.ts';
import { sequenceToInterimSql } from './kept-counts.ts';
import type { Work } from './work.ts';

/** Copies the rows of the table, compares them, and drops it. Nothing that refers to it is touched. @throws AppError as {@link copyRows} */
export function* copyToInterim(work: Work, before: TableShape, interim: string): Generator<Pause, void> {
  const plain = withoutRules(before, interim);
  work.run(interimSql(plain));
  const sources = before.columns.map(({ name }) => name);
  yield* copyRows(work, { table: before.name, before, after: plain, sources });
  const count = sequenceToInterimSql(work.connection, before.name, interim);
  // The count itself is kept by whoever drops the table.
  if (count !== null) work.sql.push(count);
  work.run(`DROP TABLE main.${quoteName(before.name)}`);
}

/** Types and the kind of table stay, so that values and keys are stored as they were. A generated column keeps its values. */
export function withoutRules(before: TableShape, name: string): TableShape {
  return { ...before, name, columns: before.columns.map((column) => ({ ...column, generated: 'no' })) };
}

export function interimSql({ name, columns, rowidColumn, withoutRowid, strict, key }: TableShape): string {
  const parts = columns.map((column) => {
    const type = column.declaredType === '' ? '' : ` ${column.declaredType}`;
    return `${quoteName(column.name)}${type}${column.name === rowidColumn ? ' PRIMARY KEY' : ''}`;
  });
  if (withoutRowid && key.kind === 'primary-key') {
    const of = key.columns.map(
      (column) => `${quoteName(column.name)} COLLATE ${quoteName(column.collation)}${column.descending ? ' DESC' : ''}`,
    );
    parts.push(`PRIMARY KEY (${of.join(', ')})`);
  }
  const options = [withoutRowid && 'WITHOUT ROWID', strict && 'STRICT'].filter(Boolean).join(', ');
  return `CREATE TABLE main.${quoteName(name)} (${parts.join(', ')})${options && ` ${options}`}`;
}
