// A second table like an existing one: its definition under another name, and optionally its rows.
import { underName } from '#shared/ddl/change-sql.ts';
import { fail, inParts } from '#shared/protocol/errors.ts';
import type { TableProof } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { copyRows, countCopied, insertSql, pairRows } from './copy-rows.ts';
import { assertRebuildable } from './rebuild.ts';
import type { Work } from './work.ts';

interface Duplication {
  readonly table: string;
  readonly to: string;
  readonly rows: boolean;
}

export function* duplicateTable(work: Work, { table, to, rows }: Duplication): Generator<Pause, TableProof | null> {
  const { connection } = work;
  const before = assertRebuildable(connection, table);
  work.run(createSql(connection, before.name, to));
  if (!rows) return null;
  const after = describeTable(connection, to);
  const proof = yield* copyRows(work, { table: to, before, after, sources: namesOf(after) });
  return countCopied(connection, after.name, proof);
}

/** Creates the table, then fills it. @throws AppError `not-found`, `invalid` */
export function duplicationSql(connection: Connection, { table, to, rows }: Duplication): readonly string[] {
  const shape = assertRebuildable(connection, table);
  const [from, into] = [shape.name, to].map((name) => `main.${quoteName(name)}`) as [string, string];
  const insert = rows ? insertSql(pairRows(shape, shape, namesOf(shape)), from, into) : null;
  return [createSql(connection, shape.name, to), ...(insert === null ? [] : [insert])];
}

const namesOf = ({ columns }: TableShape): readonly string[] => columns.map(({ name }) => name);

/** @throws AppError `invalid` */
function createSql(connection: Connection, table: string, to: string): string {
  const [sql] = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [table])!;
  const made = underName(sql as string, to);
  if (made !== null) return made;
  fail('invalid', inParts(`Sidelite cannot read the CREATE statement of “${table}”.`, 'Nothing was changed.'));
}
