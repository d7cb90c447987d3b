// The tables whose rows are merged: how their rows are told apart, and how those of the private copy are changed.
import { sameName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { ComparedTable } from '../diff/compared-tables.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable } from '../engines/table-list.ts';
import type { LoggedTable } from '../engines/row-log/row-log.ts';
import { MergeTarget } from '../history/merge-target.ts';
import type { RowTarget } from '../library/merge/row-applier.ts';
import { describeTable } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';

export interface MergedTable {
  readonly name: string;
  /** Those of the key first. */
  readonly columns: readonly string[];
  /** So many columns are the key; 0: rows are told apart by all their values. */
  readonly keys: number;
  /** The key is the row id of a virtual table, and no column of it. */
  readonly isHiddenKey: boolean;
  readonly logged: LoggedTable;
}

/** As the plan names it; a name of a table never has this character. */
const WHOLE = '\0whole';
export const keyedId = (name: string): string => name.toLowerCase();
export const wholeId = (name: string): string => `${name.toLowerCase()}${WHOLE}`;
export const isWholeId = (id: string): boolean => id.endsWith(WHOLE);

export class MergedTables {
  readonly #copy: Connection;
  readonly #tables = new Map<string, MergedTable>();
  readonly #targets = new Map<string, RowTarget>();

  /** @param copy the private copy, with the merged schema */
  constructor(copy: Connection) {
    this.#copy = copy;
  }

  /** By id, for rows with a key. */
  get keyed(): ReadonlyMap<string, MergedTable> {
    return this.#tables;
  }

  /** By id. */
  get targets(): ReadonlyMap<string, RowTarget> {
    return this.#targets;
  }

  of(id: string): MergedTable {
    return this.#tables.get(id.replace(WHOLE, ''))!;
  }

  /** Null where the copy has no such table. @throws AppError `unavailable` */
  add(compared: ComparedTable): MergedTable | null {
    const { name } = compared;
    const known = this.#tables.get(keyedId(name));
    if (known !== undefined) {
      if (!sameName(known.name, name))
        throw AppError.unavailable(
          `The names “${known.name}” and “${name}” differ only in the case of letters other than A to Z, so their rows cannot be merged. Nothing was written.`,
        );
      if (known.columns.length === compared.columns.length && known.keys === compared.keys) return known;
      throw differentForm(name);
    }
    if (findTable(this.#copy, name) === null) return null;
    const table = mergedTable(this.#copy, compared);
    this.#tables.set(keyedId(name), table);
    this.#targets.set(keyedId(name), new MergeTarget(this.#copy, table.logged, {}));
    this.#targets.set(wholeId(name), new WholeRows(this.#copy, table));
    return table;
  }
}

const differentForm = (name: string): AppError =>
  AppError.unavailable(`The rows of “${name}” have different columns on the two sides. Nothing was written.`);

function mergedTable(copy: Connection, { name, columns, keys, isRowid }: ComparedTable): MergedTable {
  const shape = describeTable(copy, name);
  const own = columns.map((column) => shape.columns.find((other) => sameName(other.name, column))?.name);
  const isHiddenKey = isRowid && own[0] === undefined;
  if (own.some((column, at) => column === undefined && !(isHiddenKey && at === 0))) throw differentForm(name);
  const stored = own.filter((column) => column !== undefined);
  const isVirtual = shape.kind === 'virtual';
  const key: LoggedTable['key'] = isRowid
    ? { kind: 'rowid', name: isVirtual ? 'rowid' : stored[0]!, columnIndex: isHiddenKey ? null : 0 }
    : { kind: 'primary-key', columns: stored.slice(0, keys) };
  const logged: LoggedTable = { name: shape.name, columns: stored, key, inserted: 0, updated: 0, deleted: 0 };
  return { name: shape.name, columns: isHiddenKey ? [columns[0]!, ...stored] : stored, keys, isHiddenKey, logged };
}

/** Rows without a key, or with NULL in it. The key of one is the row id that it had in the base, if any, and all its values. */
class WholeRows implements RowTarget {
  readonly #connection: Connection;
  readonly #table: MergedTable;

  constructor(connection: Connection, table: MergedTable) {
    this.#connection = connection;
    this.#table = table;
  }

  read(): never {
    throw new Error('Rows without a key are never changed.');
  }

  update(): never {
    throw new Error('Rows without a key are never changed.');
  }

  insert(_key: unknown, row: readonly (Value | undefined)[]): void {
    const { name, columns } = this.#table;
    const marks = columns.map(() => '?').join(', ');
    const sql = `INSERT INTO main.${quoteName(name)} (${quoteNames(columns)}) VALUES (${marks})`;
    this.#connection.run(sql, row as readonly Value[]);
  }

  /** @throws AppError `unavailable` where the row cannot be named */
  delete([hint = null, ...row]: readonly Value[]): void {
    const { name, columns } = this.#table;
    const { key } = describeTable(this.#connection, name);
    const from = `main.${quoteName(name)}`;
    if (key.kind !== 'rowid')
      throw AppError.unavailable(
        `Rows of “${name}” cannot be deleted one by one: the table has no key, and its columns hide the row id. Nothing was written.`,
      );
    const rowid = quoteName(key.name);
    const same = columns
      .map((column) => `${quoteName(column)} COLLATE BINARY IS ? AND typeof(${quoteName(column)}) = typeof(?)`)
      .join(' AND ');
    const values = row.flatMap((value) => [value, value]);
    const deleted = this.#connection.run(`DELETE FROM ${from} WHERE ${rowid} = ? AND ${same}`, [hint, ...values]);
    if (deleted > 0) return;
    this.#connection.run(
      `DELETE FROM ${from} WHERE ${rowid} = (SELECT ${rowid} FROM ${from} WHERE ${same} LIMIT 1)`,
      values,
    );
  }
}
