// All tables of a file of SQL into a database without any: the scratch database is what they become, so its pages are copied.
import type { TransferObject, TransferPlan } from '#shared/protocol/transfer.ts';
import type { Connection } from '../engines/engine.ts';
import { virtualTableDump } from '../export/virtual-table.ts';
import { overtakenByProgram } from '../history/other-programs.ts';
import { LooseKeys } from './loose-keys.ts';
import type { Moved } from './move.ts';
import type { OpenedSource } from './open-source.ts';

/** How the file is laid out, which stays as it is. */
const LAYOUT = ['page_size', 'encoding', 'auto_vacuum'] as const;
/** Set in the header of the file, and kept. */
const OWN = ['application_id', 'user_version'] as const;

/**
 * Mark of the empty state of a database that takes the pages as they are; null: the tables are moved. Another SQLite file is not copied,
 * because what it defines has to be checked.
 */
export function emptyMark(
  target: Connection,
  { scratch, contents, connection }: OpenedSource,
  plan: TransferPlan,
): string | null {
  const { sql, objects } = contents;
  if (sql === null || scratch.copyInto === undefined || target.isMetered === true || !target.autocommit) return null;
  if (!plan.indexes || !plan.triggers || plan.tables.length !== objects.length || objects.length === 0) return null;
  if (objects.some(({ problem }) => problem !== null)) return null;
  if (plan.tables.some(({ name, into, how }) => how !== 'new' || name !== into)) return null;
  const mark = target.commitMark;
  if (target.one('SELECT 1 FROM main.sqlite_schema') !== null) return null;
  return LAYOUT.every((pragma) => read(target, pragma) === read(connection, pragma)) ? mark : null;
}

/** @param mark {@link emptyMark}, found in the same turn. @throws AppError `conflict` too; nothing was changed then */
export function copyWhole(target: Connection, source: OpenedSource, mark: string): Moved {
  const { scratch, contents, connection } = source;
  const assertStill = (): void => {
    if (target.commitMark !== mark) throw overtakenByProgram();
  };
  const own = OWN.map((pragma) => [pragma, read(target, pragma), read(connection, pragma)] as const);
  try {
    for (const [pragma, ofTarget] of own) connection.run(`PRAGMA main.${pragma} = ${Number(ofTarget)}`);
    connection.checkpoint();
    scratch.copyInto!(target, assertStill);
  } finally {
    for (const [pragma, , ofSource] of own) connection.run(`PRAGMA main.${pragma} = ${Number(ofSource)}`);
  }
  const keys = new LooseKeys(target, 'database');
  return {
    tables: contents.objects.flatMap((object) =>
      hasRows(connection, object) ? [{ name: object.name, rows: object.rows ?? 0 }] : [],
    ),
    problems: 0,
    kept: [],
    // The others were said when the file was read.
    notes: contents.objects.flatMap(({ name }) => (keys.lacksParent(name) ? keys.of(name) : [])),
    leftOut: [],
  };
}

const read = (connection: Connection, pragma: string): unknown => connection.one(`PRAGMA main.${pragma}`)?.[0];

function hasRows(connection: Connection, { kind, name }: TransferObject): boolean {
  if (kind !== 'virtual') return kind === 'table';
  const [sql] = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name])!;
  return virtualTableDump(connection, name, String(sql)).hasRows;
}
