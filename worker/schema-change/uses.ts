// Objects that mention a table, a view or a column: SQLite compiles everything once more while it is not there. No text is searched.
import { sameName, writeName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { ColumnConstraint, TableConstraint, TableModel } from '#shared/ddl/table-model.ts';
import { SqlScanner } from '#shared/sql-scanner.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { SchemaName, SchemaUse, SchemaUsePart } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { failures, keyOf } from './compiles.ts';
import { ownedObjects, type OwnedObject } from './owned-objects.ts';
import { freeName, renameToInterim } from './rebuild.ts';
import { copyInto, withScratch } from './scratch.ts';
import type { Work } from './work.ts';

const HIDDEN = 'sidelite_hidden_column';

/** Views, triggers, indexes and foreign keys of other tables. In a transaction that is rolled back. @throws AppError `not-found`, `unavailable` */
export function usesOf(work: Work, table: string, column: string | null): Generator<Pause, readonly SchemaName[]> {
  return work.nearby((near) => usesIn(near, table, column));
}

function* usesIn(work: Work, table: string, column: string | null): Generator<Pause, readonly SchemaName[]> {
  const { connection } = work;
  assertNoTransaction(connection);
  const shape = describeTable(connection, table);
  const columnName = column === null ? null : nameOf(shape, column);
  const found = new Map<string, SchemaName>();
  const add = (object: SchemaName): void => void found.set(keyOf(object), object);
  for (const object of [...keysTo(connection, shape, columnName), ...indexesWith(connection, shape.name, columnName)])
    add(object);
  if (shape.kind === 'table' || shape.kind === 'view') {
    work.tell(`Looking for what uses ${shape.name}`);
    yield* work.look();
    for (const object of work.try(() => compiledWith(work, shape, columnName))) add(object);
  }
  return [...found.values()];
}

/** Adds the parts of tables that use it, including those of the table itself. @throws AppError as {@link usesOf} */
export function usesWithParts(
  work: Work,
  table: string,
  column: string | null,
): Generator<Pause, readonly SchemaUse[]> {
  return work.nearby((near) => partsIn(near, table, column));
}

function* partsIn(work: Work, table: string, column: string | null): Generator<Pause, readonly SchemaUse[]> {
  const { connection } = work;
  const found = yield* usesIn(work, table, column);
  const shape = describeTable(connection, table);
  const columnName = column === null ? null : nameOf(shape, column);
  const self = { kind: 'table', name: shape.name, table: shape.name } as const;
  const isSelf = ({ kind, name }: SchemaName): boolean => kind === 'table' && name === shape.name;
  const own = columnName === null || shape.kind !== 'table' ? [] : ownPartsWith(connection, shape, columnName);
  const others = found.flatMap((object): readonly SchemaUse[] => {
    if (isSelf(object)) return own.length > 0 ? [] : [{ ...object, part: null }];
    const parts = object.kind === 'table' ? keysWith(connection, object.name, shape, columnName) : [];
    return parts.length > 0 ? parts.map((part) => ({ ...object, part })) : [{ ...object, part: null }];
  });
  return [...own.map((part) => ({ ...self, part })), ...others];
}

function nameOf({ name, columns }: TableShape, column: string): string {
  const known = columns.find((one) => one.name.toLowerCase() === column.toLowerCase());
  if (known !== undefined) return known.name;
  fail('not-found', `“${name}” has no column “${column}”.`);
}

/** Objects that compile with it and not without it. What a view shows under another name then counts, too: `SELECT *`. */
function* compiledWith(work: Work, shape: TableShape, column: string | null): Generator<Pause, readonly SchemaName[]> {
  const { connection } = work;
  connection.beginWithoutForeignKeys();
  try {
    const before = yield* failures(work);
    const shown = viewColumns(connection);
    const owned = ownedObjects(connection, shape.name);
    const interim = freeName(connection);
    const refused = hide(work, { shape, column, interim, owned });
    const after = yield* failures(work);
    const lost = [...after.values()].filter((object) => !before.has(keyOf(object)));
    const others = [...viewColumns(connection)].filter(
      ([view, columns]) => shown.has(view) && shown.get(view) !== columns,
    );
    const views = others.map(([name]): SchemaName => ({ kind: 'view', name, table: name }));
    const found = [...lost.map((object) => owned[placeOf(object.name)] ?? object), ...views, ...refused];
    return found
      .filter(({ kind, name }) => kind === 'trigger' || kind === 'index' || name !== shape.name)
      .map(({ kind, name, table }) => ({ kind, name, table: table === interim ? shape.name : table }));
  } finally {
    if (!connection.autocommit) connection.run('ROLLBACK');
  }
}

interface Hiding {
  readonly shape: TableShape;
  readonly column: string | null;
  readonly interim: string;
  readonly owned: readonly OwnedObject[];
}

/** Hides the table or view, or replaces it by one without the column. Returns what SQLite cannot create then. */
function hide(work: Work, { shape, column, interim, owned }: Hiding): readonly SchemaName[] {
  const { connection } = work;
  const t = `main.${quoteName(shape.name)}`;
  const names = shape.columns.map(({ name }) => quoteName(name === column ? HIDDEN : name));
  if (shape.kind === 'view') {
    connection.run(`DROP VIEW ${t}`);
    if (column !== null)
      connection.run(`CREATE VIEW ${t} (${names.join(', ')}) AS SELECT ${names.map(() => 'NULL').join(', ')}`);
  } else {
    if (!renameToInterim(work, shape.name, interim)) connection.run(`DROP TABLE ${t}`);
    if (column !== null) connection.run(`CREATE TABLE ${t} (${names.join(', ')})`);
  }
  // Everything that belongs to it needs it.
  if (column === null) return owned;
  return owned.filter(({ sql }, at) => {
    try {
      connection.run(underName(sql, `${TRIED}${at}`));
      return false;
    } catch (error) {
      if (error instanceof AppError && error.code !== 'stopped') return true;
      throw error;
    }
  });
}

const TRIED = 'sidelite_tried_';
const placeOf = (name: string): number => (name.startsWith(TRIED) ? Number(name.slice(TRIED.length)) : -1);

/** CREATE INDEX or CREATE TRIGGER as SQLite stores it, under another name. */
function underName(sql: string, name: string): string {
  const scanner = new SqlScanner(sql, 0);
  do scanner.next();
  while (!/^(?:index|trigger)$/i.test(scanner.text));
  scanner.next();
  const { from } = scanner;
  let { to } = scanner;
  scanner.next();
  if (scanner.text === '.') {
    scanner.next();
    to = scanner.to;
  }
  return `${sql.slice(0, from)}${name}${sql.slice(to)}`;
}

/** A broken view has no columns. */
function viewColumns(connection: Connection): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const [name] of connection.all("SELECT name FROM main.sqlite_schema WHERE type = 'view'")) {
    try {
      const columns = connection.all("SELECT name FROM temp.pragma_table_xinfo(?, 'main') ORDER BY cid", [
        name as string,
      ]);
      shown.set(name as string, JSON.stringify(columns));
    } catch {
      // The view is listed with what does not compile.
    }
  }
  return shown;
}

function keysTo(connection: Connection, { name, columns }: TableShape, column: string | null): readonly SchemaName[] {
  const isKey = column !== null && columns.some((one) => one.name === column && one.primaryKeyIndex > 0);
  const rows = connection.all(
    `SELECT DISTINCT m.name FROM main.sqlite_schema m, temp.pragma_foreign_key_list(m.name, 'main') f
     WHERE m.type = 'table' AND (f."table" = ?1 COLLATE NOCASE AND m.name <> ?1 AND (?2 IS NULL OR f."to" = ?2 COLLATE NOCASE OR f."to" IS NULL AND ?3)
       OR m.name = ?1 AND f."from" = ?2 COLLATE NOCASE)`,
    [name, column, isKey ? 1 : 0],
  );
  return rows.map(([table]) => ({ kind: 'table', name: table as string, table: table as string }));
}

function indexesWith(connection: Connection, table: string, column: string | null): readonly SchemaName[] {
  const rows = connection.all(
    `SELECT DISTINCT i.name FROM temp.pragma_index_list(?1, 'main') i, temp.pragma_index_xinfo(i.name, 'main') c
     WHERE i.origin = 'c' AND c.key = 1 AND (?2 IS NULL OR c.name = ?2 COLLATE NOCASE)`,
    [table, column],
  );
  return rows.map(([name]) => ({ kind: 'index', name: name as string, table }));
}

// The parts of a table's own definition that use one of its columns: SQLite renames the column in a copy, and what it rewrites uses it.

const RENAMED = 'sidelite_renamed_column';

/**
 * Generated columns, checks, and keys. Outside of transactions. Empty if the statement of the table is not understood, or if SQLite cannot
 * create its copy, because a function is missing.
 */
function ownPartsWith(
  connection: Connection,
  { name }: Pick<TableShape, 'name'>,
  column: string,
): readonly SchemaUsePart[] {
  const before = parseTable(createSql(connection, 'main', name));
  if (!before.understood) return [];
  const after = renamedInCopy(connection, name, column);
  if (!after.understood) return [];
  const rewritten = constraintsOf(after);
  return constraintsOf(before).flatMap(({ of, constraint, text }, at) => {
    // Parts declared with the column itself do not name it.
    const isOwn = of !== null && sameName(of, column) && constraint.kind !== 'generated';
    const kind = PARTS[constraint.kind];
    if (kind === undefined || (!isOwn && rewritten[at]?.text === text)) return [];
    return [{ kind, sql: of === null ? text : `${writeName(of)} ${text}` }];
  });
}

function renamedInCopy(connection: Connection, table: string, column: string): ReturnType<typeof parseTable> {
  try {
    return withScratch(connection, (schema) => {
      copyInto(connection, schema, table);
      const t = `${schema}.${quoteName(table)}`;
      connection.run(`ALTER TABLE ${t} RENAME COLUMN ${quoteName(column)} TO ${quoteName(RENAMED)}`);
      return parseTable(createSql(connection, schema, table));
    });
  } catch (error) {
    if (error instanceof AppError && error.code !== 'stopped') return parseTable('');
    throw error;
  }
}

/** Foreign keys of `child` that refer to the table, or to its column. */
function keysWith(
  connection: Connection,
  child: string,
  { name, columns }: TableShape,
  column: string | null,
): readonly SchemaUsePart[] {
  const model = parseTable(createSql(connection, 'main', child));
  if (!model.understood) return [];
  const isKey = columns.some((one) => one.name === column && one.primaryKeyIndex > 0);
  return constraintsOf(model).flatMap(({ of, constraint, text }) => {
    if (constraint.kind !== 'foreign-key' || !sameName(constraint.table.name, name)) return [];
    const { referencedColumns } = constraint;
    const names = referencedColumns.some((one) => column !== null && sameName(one.name, column));
    if (column !== null && !names && !(referencedColumns.length === 0 && isKey)) return [];
    return [{ kind: 'foreign-key', sql: of === null ? text : `${writeName(of)} ${text}` }];
  });
}

const PARTS: Readonly<Partial<Record<ColumnConstraint['kind'], SchemaUsePart['kind']>>> = {
  generated: 'generated',
  check: 'check',
  unique: 'unique',
  'primary-key': 'primary-key',
  'foreign-key': 'foreign-key',
};

interface Part {
  /** The column it is declared with; null if it belongs to the table. */
  readonly of: string | null;
  readonly constraint: ColumnConstraint | TableConstraint;
  readonly text: string;
}

function constraintsOf({ text, columns, constraints }: TableModel): readonly Part[] {
  const part = (of: string | null, constraint: Part['constraint']): Part => ({
    of,
    constraint,
    text: text.slice(constraint.span.from, constraint.span.to),
  });
  return [
    ...columns.flatMap((column) => column.constraints.map((constraint) => part(column.name.name, constraint))),
    ...constraints.map(({ constraint }) => part(null, constraint)),
  ];
}

function createSql(connection: Connection, schema: string, table: string): string {
  const row = connection.one(
    `SELECT sql FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE`,
    [table],
  );
  return (row?.[0] as string | undefined) ?? '';
}
