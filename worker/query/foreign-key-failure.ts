// Says which rows prevent a change that a foreign key does not allow: SQLite names neither the key nor the rows.
import { counted } from '#shared/counted.ts';
import type { TableChange } from '#shared/protocol/edit.ts';
import { AppError, inParts, type ReferringRows } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { valueLabel } from '#shared/value-label.ts';
import type { Connection } from '../engines/engine.ts';
import { atomically } from '../engines/transaction.ts';
import { sameValue } from '../sql/same-value.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { describeTable, FOREIGN_KEY_PARTS, keyCondition, type TableShape } from '../schema/table-shape.ts';

const NOTHING_CHANGED = 'Nothing was changed.';
/** The actions of a key that do not allow its row to go. */
const REFUSING = new Set(['NO ACTION', 'RESTRICT']);

/** A foreign key of a table: its columns, and those that they refer to in `parent`. */
interface Key {
  readonly table: string;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly targets: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

/**
 * Runs work that leaves everything as it was if it fails. If a foreign key was the reason, the error names the rows. A server is not asked
 * about them, because it bills what it reads.
 */
export function namingForeignKey<T>(connection: Connection, changes: readonly TableChange[], work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.detail?.['kind'] !== 'foreign-key' || connection.writeTogether)
      throw thrown;
    const at = thrown.detail['change'];
    throw whyRefused(connection, typeof at === 'number' ? changes.slice(at, at + 1) : changes, thrown) ?? thrown;
  }
}

/** Whether the row could be deleted together with the rows that refer to it. Leaves everything as it is. */
function canDeleteBoth(connection: Connection, shape: TableShape, key: readonly Value[]): boolean {
  let isPossible = false;
  try {
    atomically(connection, () => {
      const referring = referringRows(connection, { kind: 'delete', key }, shape);
      if (referring.some((rows) => areReferredTo(connection, rows, shape, key))) return;
      deleteReferring(connection, shape, key);
      connection.run(`DELETE FROM main.${quoteName(shape.name)} WHERE ${keyCondition(shape.key)}`, key);
      isPossible = true;
      throw new Error('Tried, and rolled back.');
    });
  } catch {
    // Either was not possible, or has been rolled back.
  }
  return isPossible;
}

/**
 * Whether other rows than these and the one with the key refer to these rows. Deferred keys are checked by COMMIT, which an attempt that is
 * rolled back does not reach.
 */
function areReferredTo(
  connection: Connection,
  { table, columns, values }: ReferringRows,
  { name, key: keyShape }: TableShape,
  key: readonly Value[],
): boolean {
  return keysOf(connection, 'f."table" = ? COLLATE NOCASE', table).some((one) => {
    if (!REFUSING.has(one.onDelete)) return false;
    const sql = `SELECT 1 FROM main.${quoteName(one.table)} WHERE (${quoteNames(one.columns)}) IN
      (SELECT ${quoteNames(one.targets)} FROM main.${quoteName(table)} WHERE ${condition(columns)})
      ${one.table === table ? `AND (${condition(columns)}) IS NOT TRUE` : ''}
      ${one.table === name ? `AND NOT (${keyCondition(keyShape)})` : ''} LIMIT 1`;
    const excluded = [...(one.table === table ? values : []), ...(one.table === name ? key : [])];
    return connection.one(sql, [...values, ...excluded]) !== null;
  });
}

/** Deletes the rows that refer to a row and prevent its deletion. @param key of the row */
export function deleteReferring(connection: Connection, shape: TableShape, key: readonly Value[]): void {
  for (const { table, columns, values } of referringRows(connection, { kind: 'delete', key }, shape))
    connection.run(`DELETE FROM main.${quoteName(table)} WHERE ${condition(columns)}`, values);
}

function whyRefused(
  connection: Connection,
  changes: readonly TableChange[],
  { sqlite, detail }: AppError,
): AppError | null {
  for (const change of changes) {
    const shape = describeTable(connection, change.table);
    if (shape.key.kind === 'none') continue;
    const referring = referringRows(connection, change, shape);
    const missing = referring.length > 0 ? null : missingParent(connection, change, shape);
    const what = referring.length > 0 ? referringText(referring) : missing && missingText(missing);
    if (what === null) continue;
    const isDeletable =
      change.kind === 'delete' && changes.length === 1 && canDeleteBoth(connection, shape, change.key);
    return new AppError({
      code: 'constraint',
      ...inParts(what, NOTHING_CHANGED),
      ...(sqlite && { sqlite }),
      detail: {
        ...detail,
        ...(isDeletable && { isDeletable }),
        ...(missing && { table: shape.name, columns: missing.columns.join(', '), name: missing.columns[0]! }),
      },
      ...(referring.length > 0 && { referring }),
    });
  }
  return null;
}

/** “Album” has 2 rows with “ArtistId” 1. */
function referringText(referring: readonly ReferringRows[]): string {
  const [first, second, ...others] = referring.map(
    ({ table, columns, values, rows }) => `“${table}” has ${counted(rows, 'row')} with ${pairsText(columns, values)}`,
  );
  const rest = others.length > 0 ? `, and ${counted(others.length, 'other foreign key')} of other rows` : '';
  return `${[first, second].filter(Boolean).join(', and ')}${rest}.`;
}

const missingText = ({ parent, targets, values }: MissingParent): string =>
  `“${parent}” has no row with ${pairsText(targets, values)}.`;

const pairsText = (columns: readonly string[], values: readonly Value[]): string =>
  columns.map((column, at) => `“${column}” ${valueLabel(values[at]!)}`).join(' and ');

/** The rows that do not let the change happen, because they refer to the row as it is. */
function referringRows(
  connection: Connection,
  change: Pick<TableChange, 'kind'> & {
    readonly key?: readonly Value[];
    readonly set?: Readonly<Record<string, Value>>;
  },
  { name, key: keyShape }: TableShape,
): readonly ReferringRows[] {
  const { kind, key, set = {} } = change;
  if (key === undefined || (kind !== 'delete' && kind !== 'update')) return [];
  return keysOf(connection, 'f."table" = ? COLLATE NOCASE', name).flatMap((one): readonly ReferringRows[] => {
    const { table, columns, targets } = one;
    if (!REFUSING.has(kind === 'delete' ? one.onDelete : one.onUpdate)) return [];
    const row = connection.one(
      `SELECT ${quoteNames(targets)} FROM main.${quoteName(name)} WHERE ${keyCondition(keyShape)}`,
      key,
    );
    if (!row || row.includes(null)) return [];
    const isKept = targets.every((target, at) => !Object.hasOwn(set, target) || sameValue(set[target]!, row[at]!));
    if (kind === 'update' && isKept) return [];
    // A row that refers to itself does not prevent anything.
    const others = table === name ? ` AND NOT (${keyCondition(keyShape)})` : '';
    const sql = `SELECT count(*) FROM main.${quoteName(table)} WHERE ${condition(columns)}${others}`;
    const rows = Number(connection.one(sql, [...row, ...(others ? key : [])])![0]);
    return rows === 0 ? [] : [{ table, columns, values: row, rows }];
  });
}

interface MissingParent extends Key {
  readonly values: readonly Value[];
}

/** The foreign key of the new or changed row that leads nowhere. */
function missingParent(
  connection: Connection,
  change: TableChange,
  { name, key: keyShape }: TableShape,
): MissingParent | null {
  if (change.kind !== 'insert' && change.kind !== 'update') return null;
  for (const key of keysOf(connection, 'm.name = ?', name)) {
    const now =
      change.kind === 'insert'
        ? key.columns.map(() => null)
        : connection.one(
            `SELECT ${quoteNames(key.columns)} FROM main.${quoteName(name)} WHERE ${keyCondition(keyShape)}`,
            change.key,
          );
    const values = key.columns.map((column, at) =>
      Object.hasOwn(change.set, column) ? change.set[column]! : (now?.[at] ?? null),
    );
    if (values.includes(null)) continue;
    const sql = `SELECT 1 FROM main.${quoteName(key.parent)} WHERE ${condition(key.targets)} LIMIT 1`;
    if (connection.one(sql, values) === null) return { ...key, values };
  }
  return null;
}

const condition = (columns: readonly string[]): string =>
  columns.map((column) => `${quoteName(column)} = ?`).join(' AND ');

function keysOf(connection: Connection, where: string, name: string): readonly Key[] {
  const rows = connection.all(
    `SELECT m.name, ${FOREIGN_KEY_PARTS}, f.on_delete, f.on_update
     FROM main.sqlite_schema m, temp.pragma_foreign_key_list(m.name, 'main') f
     WHERE m.type = 'table' AND ${where} ORDER BY m.rowid, f.id, f.seq`,
    [name],
  ) as readonly (readonly [string, number, string, string, string | null, string, string])[];
  const keys = new Map<string, Key & { columns: string[]; targets: string[] }>();
  for (const [table, id, from, parent, to, onDelete, onUpdate] of rows) {
    // A key that leads to no column is an error of its own in SQLite.
    if (to === null) continue;
    const at = JSON.stringify([table, id]);
    const key = keys.get(at) ?? { table, columns: [], parent, targets: [], onDelete, onUpdate };
    key.columns.push(from);
    key.targets.push(to);
    keys.set(at, key);
  }
  return [...keys.values()];
}
