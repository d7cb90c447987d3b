// How a table becomes what a text says: by ALTER statements where these do all of it, otherwise by rebuilding it.
import type { TableChange as ModelChange, TableDiff } from '#shared/ddl/changes.ts';
import { commentsIn } from '#shared/ddl/comments.ts';
import { diffTable, identityByName } from '#shared/ddl/diff-table.ts';
import { sameName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { CheckConstraint, ColumnConstraint, ColumnModel, TableModel } from '#shared/ddl/table-model.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { assertRebuildable } from './rebuild.ts';
import { copyInto, withScratch } from './scratch.ts';

export interface TablePlan {
  /** The table's name afterward. */
  readonly table: string;
  /** Statements to run first, in this order. */
  readonly alters: readonly string[];
  /** Null: `alters` do it all. `columns` are named as after those. */
  readonly rebuild: { readonly sql: string; readonly columns: readonly (string | null)[] } | null;
  /** ALTER rewrites or reads every row: DROP COLUMN, a new check. */
  readonly readsRows: boolean;
  /** Keys of it, or to it, may lead nowhere afterward. */
  readonly touchesKeys: boolean;
  /** Null where one of the texts is not understood. */
  readonly diff: TableDiff | null;
}

/** Call outside of transactions. @throws AppError `not-found`, `invalid` */
export function planTable(
  connection: Connection,
  { table, sql, columns }: Extract<SchemaChange, { kind: 'change-table' }>,
): TablePlan {
  const shape = assertRebuildable(connection, table);
  const anew = { table: shape.name, alters: [], rebuild: { sql, columns }, readsRows: true, touchesKeys: true };
  const before = modelOf(connection, 'main', shape.name);
  const wanted = parseTable(sql);
  if (before === null || !wanted.understood || wanted.columns.length !== columns.length) return { ...anew, diff: null };
  const identity = columns.map((name) => {
    const at = before.columns.findIndex((column) => name !== null && sameName(column.name.name, name));
    return at < 0 ? null : at;
  });
  const diff = diffTable(before, wanted, identity);
  const alters = altersFor(diff);
  if (alters !== null && succeeds(connection, diff, alters)) {
    return {
      ...anew,
      table: wanted.name.name,
      alters: alters.map((alter) => alter(`main.${quoteName(shape.name)}`, `main.${quoteName(wanted.name.name)}`)),
      rebuild: null,
      readsRows: diff.changes.some((change) => readsRows(change, wanted)),
      touchesKeys: touchesKeys(diff),
      diff,
    };
  }
  return { ...anew, ...renamesFirst(diff, { sql, columns }), diff };
}

/**
 * Follows SQLite (`sqlite3AlterFinishAddColumn` in alter.c): an added column is stored in no row, but with a check, in a STRICT table, and
 * as a computed column that is never null it is tried in each.
 */
function readsRows(change: ModelChange, to: TableModel): boolean {
  switch (change.kind) {
    case 'drop-column':
    case 'set-not-null':
    case 'add-check':
      return true;
    case 'add-column': {
      const holds = (kind: ColumnConstraint['kind']): boolean =>
        change.column.constraints.some((constraint) => constraint.kind === kind);
      return to.strict || hasCheck(to) || (holds('generated') && holds('not-null'));
    }
    default:
      return false;
  }
}

const hasCheck = ({ columns, constraints }: TableModel): boolean =>
  columns.some((column) => column.constraints.some(({ kind }) => kind === 'check')) ||
  constraints.some(({ constraint }) => constraint.kind === 'check');

/** The values of a column that is added with its key are null, which every key may be. */
function touchesKeys({ changes, to }: TableDiff): boolean {
  const rest = changes.filter((change) => change.kind !== 'add-column' && !isAdded(change, changes));
  return rest.length > 0 && (rest.some(({ kind }) => KEY_CHANGES.includes(kind)) || to.text.includes('REFERENCES'));
}

const KEY_CHANGES: readonly string[] = ['drop-column', 'rename-table', 'add-foreign-key', 'drop-foreign-key'];

/** `now` is the table by its current name, `later` by its future one. */
type Alter = (now: string, later: string) => string;

/** Null where some change has no ALTER. */
function altersFor({ changes, to }: TableDiff): readonly Alter[] | null {
  const alters: Alter[] = [];
  for (const change of changes) {
    if (isAdded(change, changes)) continue;
    const alter = alterFor(change, to);
    if (alter === null) return null;
    alters.push(alter);
  }
  return alters;
}

const isAdded = (change: ModelChange, all: readonly ModelChange[]): boolean =>
  all.some((other) => other.kind === 'add-column' && comesWith(other.column, change));

/**
 * Whether ADD COLUMN brings it, because it is written in the column. With foreign keys on, a table with rows is given no column that has
 * both a key and a default (sqlite.org/lang_altertable.html#altertabaddcol).
 */
function comesWith({ span, constraints }: ColumnModel, change: ModelChange): boolean {
  if (change.kind !== 'add-foreign-key' && change.kind !== 'add-check') return false;
  const isWithin = span.from <= change.constraint.span.from && change.constraint.span.to <= span.to;
  return isWithin && (change.kind === 'add-check' || constraints.every(({ kind }) => kind !== 'default'));
}

function alterFor(change: ModelChange, to: TableModel): Alter | null {
  const later =
    (what: string): Alter =>
    (_now, table) =>
      `ALTER TABLE ${table} ${what}`;
  switch (change.kind) {
    case 'rename-table':
      return sameName(change.from, change.to) ? null : (now) => `ALTER TABLE ${now} RENAME TO ${quoteName(change.to)}`;
    case 'drop-column':
      return later(`DROP COLUMN ${quoteName(change.column.name.name)}`);
    case 'rename-column':
      return later(`RENAME COLUMN ${quoteName(change.from)} TO ${quoteName(change.to)}`);
    case 'add-column': {
      const { from, to: end } = change.column.span;
      return change.last ? later(`ADD COLUMN ${to.text.slice(from, end)}`) : null;
    }
    case 'set-not-null': {
      if ((change.to?.onConflict ?? null) !== null) return null;
      return later(`ALTER COLUMN ${quoteName(change.column)} ${change.to === null ? 'DROP' : 'SET'} NOT NULL`);
    }
    case 'add-check':
      // A column's constraint would be written somewhere else.
      return change.column === null
        ? later(`ADD ${to.text.slice(change.constraint.span.from, change.constraint.span.to)}`)
        : null;
    case 'drop-check':
    case 'drop-foreign-key':
      return dropOf(change.constraint, later);
    default:
      return null;
  }
}

function dropOf({ name }: Pick<CheckConstraint, 'name'>, later: (what: string) => Alter): Alter | null {
  return name === null ? null : later(`DROP CONSTRAINT ${quoteName(name.name)}`);
}

/** Whether SQLite accepts them for a table like this one with the wanted result: with every comment, whatever the white space. */
function succeeds(main: Connection, { from, to }: TableDiff, alters: readonly Alter[]): boolean {
  const near = main.openNear?.();
  const connection = near ?? main;
  try {
    return withScratch(connection, (schema) => {
      copyInto(connection, schema, from.name.name);
      for (const alter of alters)
        connection.run(alter(`${schema}.${quoteName(from.name.name)}`, `${schema}.${quoteName(to.name.name)}`));
      const made = modelOf(connection, schema, to.name.name);
      if (made === null || commentTexts(made) !== commentTexts(to)) return false;
      return diffTable(made, to, identityByName(made, to)).changes.every(({ kind }) => kind === 'set-text');
    });
  } catch (error) {
    if (error instanceof AppError && error.code !== 'stopped') return false;
    throw error;
  } finally {
    near?.close();
  }
}

function commentTexts({ text }: TableModel): string {
  const found = commentsIn(text, { from: 0, to: text.length });
  return found.map(({ from, to }) => text.slice(from, to).trim()).join('\n');
}

function modelOf(connection: Connection, schema: string, table: string): TableModel | null {
  const row = connection.one(
    `SELECT sql FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE`,
    [table],
  );
  const model = row === null ? null : parseTable(row[0] as string);
  return model?.understood === true ? model : null;
}

/** Only ALTER also renames in views, triggers and indexes. Swapped names go through temporary ones. */
function renamesFirst(
  { from, to, identity }: TableDiff,
  { sql, columns }: { readonly sql: string; readonly columns: readonly (string | null)[] },
): Pick<TablePlan, 'table' | 'alters' | 'rebuild'> {
  const isMoved = !sameName(from.name.name, to.name.name);
  const table = isMoved ? to.name.name : from.name.name;
  const later = `main.${quoteName(table)}`;
  const pairs = to.columns.flatMap(({ name }, at) => {
    const old = identity[at] == null ? null : from.columns[identity[at]]!.name.name;
    return old === null || sameName(old, name.name) ? [] : [{ old, name: name.name }];
  });
  const isCrossed = pairs.some((pair) => from.columns.some(({ name }) => sameName(name.name, pair.name)));
  const rename = (old: string, name: string): string =>
    `ALTER TABLE ${later} RENAME COLUMN ${quoteName(old)} TO ${quoteName(name)}`;
  const aside = (at: number): string => `sidelite_column_${at}`;
  return {
    table,
    alters: [
      ...(isMoved ? [`ALTER TABLE main.${quoteName(from.name.name)} RENAME TO ${quoteName(table)}`] : []),
      ...(isCrossed
        ? [
            ...pairs.map(({ old }, at) => rename(old, aside(at))),
            ...pairs.map(({ name }, at) => rename(aside(at), name)),
          ]
        : pairs.map(({ old, name }) => rename(old, name))),
    ],
    rebuild: {
      sql,
      columns: columns.map((old, at) => (pairs.some((pair) => pair.old === old) ? to.columns[at]!.name.name : old)),
    },
  };
}
