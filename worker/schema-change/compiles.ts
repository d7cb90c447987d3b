// Views, virtual tables and triggers that SQLite can compile with the current schema, and why not the others.
import { parseObject } from '#shared/ddl/parse-object.ts';
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { BrokenObject, SchemaChange, SchemaName } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { eventOf, ownedObjects } from './owned-objects.ts';
import type { Work } from './work.ts';

export type Failures = ReadonlyMap<string, BrokenObject>;

export const keyOf = ({ kind, name }: SchemaName): string => `${kind} ${name.toLowerCase()}`;

/**
 * Everything in the database that does not compile, where names in double quotes are names: without their column, SQLite would take them for
 * texts. Runs none of it, except the first row of virtual tables with their own rows.
 */
export function* failures(work: Work): Generator<Pause, Failures> {
  const { connection } = work;
  const failed = new Map<string, BrokenObject>();
  const attempt = (object: SchemaName, body: () => void): void => {
    try {
      body();
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'stopped') throw error;
      failed.set(keyOf(object), { ...object, message: whatHappened(known) });
    }
  };
  for (const [schema, type, name] of relations(connection)) {
    const from = `${schema}.${quoteName(name)}`;
    if (type === 'view')
      attempt({ kind: 'view', name, table: name }, () => connection.check(`SELECT * FROM ${from}`, true));
    if (type === 'virtual')
      attempt({ kind: 'virtual', name, table: name }, () => checkVirtual(connection, schema, name));
    yield* work.look();
  }
  for (const table of tablesWithTriggers(connection)) {
    for (const trigger of ownedObjects(connection, table)) {
      if (trigger.kind !== 'trigger') continue;
      const { kind, name } = trigger;
      attempt({ kind, name, table }, () => checkEvent(connection, table, eventOf(trigger.sql)));
    }
    yield* work.look();
  }
  return failed;
}

/** Objects that no longer compile, or that were edited and still do not. */
export function newlyFailed(
  before: Failures,
  after: Failures,
  changes: readonly SchemaChange[],
): readonly BrokenObject[] {
  const changed = new Set(
    changes.flatMap((change) =>
      change.kind === 'change-object' ? [keyOf({ kind: change.object, name: change.name, table: '' })] : [],
    ),
  );
  return [...after].filter(([key]) => !before.has(key) || changed.has(key)).map(([, object]) => object);
}

/** Full-text tables read the table or view that has their text only when they are read, and a view may never end. */
function checkVirtual(connection: Connection, schema: string, name: string): void {
  const table = `${schema}.${quoteName(name)}`;
  const content = contentSql(connection, schema, name);
  if (content === null) return void connection.one(`SELECT * FROM ${table} LIMIT 1`);
  connection.check(`SELECT * FROM ${table}`, true);
  connection.check(content, true);
}

/** Query by which FTS5 or FTS4 reads its text (sqlite.org/fts5.html#external_content_tables); null for a table with its own rows. */
function contentSql(connection: Connection, schema: string, name: string): string | null {
  const row = connection.one(`SELECT sql FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ?`, [name]);
  const model = parseObject(String(row?.[0] ?? ''));
  if (!model.understood || model.kind !== 'virtual' || !/^fts[45]$/i.test(model.module.name)) return null;
  const valueOf = (wanted: string): string =>
    model.arguments.find(({ option }) => option?.name.toLowerCase() === wanted)?.option?.value ?? '';
  const content = valueOf('content');
  if (content === '') return null;
  const columns = model.arguments.flatMap(({ column }) => (column === null ? [] : [column]));
  const read = [valueOf('content_rowid') || 'rowid', ...columns].map((column) => `t.${quoteName(column)}`);
  return `SELECT ${read.join(', ')} FROM ${schema}.${quoteName(content)} AS t`;
}

/** Views and virtual tables. */
const COMPILED = "(type = 'view' OR type = 'table' AND rootpage = 0)";

function relations(connection: Connection): readonly (readonly [string, string, string])[] {
  return connection.all(
    `SELECT 'main', iif(type = 'view', type, 'virtual'), name FROM main.sqlite_schema WHERE ${COMPILED}
     UNION ALL SELECT 'temp', iif(type = 'view', type, 'virtual'), name FROM temp.sqlite_schema WHERE ${COMPILED}`,
  ) as readonly (readonly [string, string, string])[];
}

function tablesWithTriggers(connection: Connection): readonly string[] {
  return connection
    .all(
      `SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger' UNION
       SELECT tbl_name FROM temp.sqlite_schema WHERE type = 'trigger' AND tbl_name IN (SELECT name FROM main.sqlite_schema)`,
    )
    .map(([name]) => name as string);
}

/** A statement that fires triggers is compiled together with all of them. */
export function checkEvent(connection: Connection, table: string, event: ReturnType<typeof eventOf>): void {
  const name = `main.${quoteName(table)}`;
  if (event === 'INSERT') connection.check(`INSERT INTO ${name} DEFAULT VALUES`, true);
  if (event === 'DELETE') connection.check(`DELETE FROM ${name}`, true);
  if (event !== 'UPDATE') return;
  const columns = connection.all("SELECT name FROM temp.pragma_table_xinfo(?, 'main') WHERE hidden = 0", [table]);
  const sets = columns.map(([column]) => `${quoteName(column as string)} = NULL`);
  connection.check(`UPDATE ${name} SET ${sets.join(', ')}`, true);
}
