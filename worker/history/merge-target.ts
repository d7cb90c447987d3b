// A table in its current state, into which changes from another file or an earlier time are merged.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { LoggedTable } from '../engines/row-log/row-log.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { describeTable } from '../schema/table-shape.ts';
import { shownAs } from './differences.ts';
import type { NetChange, PartialRow } from './net-changes.ts';
import type { VirtualTables } from './virtual-tables.ts';

type Key = readonly Value[];

export class MergeTarget {
  readonly table: string;
  /** Indexes of the change's values, and the column of each. */
  readonly columns: readonly { readonly place: number; readonly name: string }[];
  readonly #connection: Connection;
  readonly #width: number;
  readonly #name: string;
  readonly #keyNames: readonly string[];
  readonly #condition: string;
  /** A row id that is not a column. */
  readonly #hiddenKey: string | null;

  /** @throws AppError `not-found` when the table is no longer what the change was made for */
  constructor(connection: Connection, logged: LoggedTable, virtual: VirtualTables) {
    const { table, columns, shown } = shownAs(logged, virtual);
    const shape = describe(connection, table);
    const writable = new Set(shape.columns.filter(({ generated }) => generated === 'no').map(({ name }) => name));
    const missing = columns.find((name) => !writable.has(name));
    if (missing !== undefined) throw changedTable(table, `it has no column “${missing}”`);
    const isVirtual = shape.kind === 'virtual';
    if (logged.key.kind === 'rowid' && !isVirtual && shape.key.kind !== 'rowid')
      throw changedTable(table, 'its rows have different keys now');
    this.#connection = connection;
    this.table = table;
    this.columns = columns.map((name, index) => ({ name, place: shown[index]! }));
    this.#width = logged.columns.length;
    this.#name = `main.${quoteName(table)}`;
    this.#keyNames = logged.key.kind === 'rowid' ? [isVirtual ? 'rowid' : logged.key.name] : logged.key.columns;
    this.#condition = this.#keyNames.map((name) => `${quoteName(name)} = ?`).join(' AND ');
    this.#hiddenKey =
      logged.key.kind === 'rowid' && (isVirtual || logged.key.columnIndex === null) ? this.#keyNames[0]! : null;
  }

  /** The values of the row by index, or null. */
  read(key: Key): PartialRow | null {
    const names = this.columns.map(({ name }) => name);
    const row = this.#connection.one(`SELECT ${quoteNames(names)} FROM ${this.#name} WHERE ${this.#condition}`, key);
    if (!row) return null;
    const values: PartialRow = Array.from({ length: this.#width }, () => undefined);
    for (const [index, { place }] of this.columns.entries()) values[place] = row[index]!;
    return values;
  }

  has(key: Key): boolean {
    return this.#connection.one(`SELECT 1 FROM ${this.#name} WHERE ${this.#condition}`, key) !== null;
  }

  /** @param key null: SQLite gives the row a new row id */
  insert(key: Key | null, row: PartialRow, orReplace = false): void {
    const known = this.columns.filter(({ place }) => row[place] !== undefined);
    const names = known.map(({ name }) => name);
    const values = known.map(({ place }) => row[place]!);
    if (this.#hiddenKey !== null && key) {
      names.unshift(this.#hiddenKey);
      values.unshift(key[0]!);
    }
    const list = values.map(() => '?').join(', ');
    this.#connection.run(
      `INSERT ${orReplace ? 'OR REPLACE ' : ''}INTO ${this.#name} (${quoteNames(names)}) VALUES (${list})`,
      values,
    );
  }

  update(change: NetChange, orReplace = false): void {
    const changed = this.columns.filter(({ place }) => change.after![place] !== undefined);
    const names = changed.map(({ name }) => name);
    const values = changed.map(({ place }) => change.after![place]!);
    if (this.#hiddenKey !== null && change.keyBefore![0] !== change.keyAfter![0]) {
      names.push(this.#hiddenKey);
      values.push(change.keyAfter![0]!);
    } else if (this.#hiddenKey === null) this.#addKey(change, names, values);
    if (names.length === 0) return;
    const set = names.map((name) => `${quoteName(name)} = ?`).join(', ');
    this.#connection.run(`UPDATE ${orReplace ? 'OR REPLACE ' : ''}${this.#name} SET ${set} WHERE ${this.#condition}`, [
      ...values,
      ...change.keyBefore!,
    ]);
  }

  delete(key: Key): void {
    this.#connection.run(`DELETE FROM ${this.#name} WHERE ${this.#condition}`, key);
  }

  /** A changed INTEGER PRIMARY KEY column may appear only in the keys. */
  #addKey({ keyBefore, keyAfter }: NetChange, names: string[], values: Value[]): void {
    for (const [index, name] of this.#keyNames.entries()) {
      if (names.includes(name) || keyBefore![index] === keyAfter![index]) continue;
      names.push(name);
      values.push(keyAfter![index]!);
    }
  }
}

function describe(connection: Connection, table: string) {
  try {
    return describeTable(connection, table);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') throw changedTable(table, 'it no longer exists');
    throw error;
  }
}

function changedTable(table: string, how: string): AppError {
  return AppError.notFound(
    inParts(`The change was made to an earlier form of the table “${table}”: ${how}.`, 'Nothing was changed.'),
  );
}
