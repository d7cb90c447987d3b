// Takes changes of a row log back, or makes them again: one SQL statement for each shape of change, prepared once.
import type { Value } from '#shared/protocol/values.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import type { Connection, Statement } from '../engine.ts';
import type { LoggedChange, LoggedTable } from './row-log.ts';

type LoggedUpdate = Extract<LoggedChange, { operation: 'update' }>;
type LoggedSequence = Extract<LoggedChange, { operation: 'sequence' }>;

/**
 * Applies changes one by one, in the caller's transaction; inside {@link Connection.replay} nothing follows from them. {@link close} it
 * when done. Each returns how many rows there were to change: 0 when the row no longer exists.
 */
export class RowLogApplier {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The row becomes what it was before the change. */
  undo(change: LoggedChange): number {
    switch (change.operation) {
      case 'insert':
        return this.#delete(change.table, change.key);
      case 'delete':
        return this.#insert(change.table, change.key, change.before);
      case 'update':
        return this.#update(change, change.keyAfter, change.keyBefore, change.before);
      case 'sequence':
        return this.#sequence(change, change.before);
    }
  }

  /** Makes the change again. Only for a change with the values after it (`after` is not null). */
  redo(change: LoggedChange): number {
    switch (change.operation) {
      case 'insert':
        return this.#insert(change.table, change.key, change.after!);
      case 'delete':
        return this.#delete(change.table, change.key);
      case 'update':
        return this.#update(change, change.keyBefore, change.keyAfter, change.after!);
      case 'sequence':
        return this.#sequence(change, change.after);
    }
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
  }

  #delete(table: LoggedTable, key: readonly Value[]): number {
    return this.#run(`DELETE FROM ${named(table)} WHERE ${whereKey(table)}`, key);
  }

  #insert(table: LoggedTable, key: readonly Value[], row: readonly Value[]): number {
    // The row id has no column of its own, or that column says it already.
    const hidden = table.key.kind === 'rowid' && table.key.columnIndex === null ? table.key.name : null;
    const columns = hidden === null ? table.columns : [hidden, ...table.columns];
    const values = hidden === null ? row : [key[0]!, ...row];
    return this.#run(
      `INSERT INTO ${named(table)} (${quoteNames(columns)}) VALUES (${values.map(() => '?').join(', ')})`,
      values,
    );
  }

  #update(
    { table, columnIndexes: changed }: LoggedUpdate,
    from: readonly Value[],
    to: readonly Value[],
    values: readonly Value[],
  ): number {
    const columns = changed.map((index) => table.columns[index]!);
    // Primary keys of WITHOUT ROWID tables are columns like others, a row id is not.
    const moves = table.key.kind === 'rowid' && from[0] !== to[0];
    if (moves) columns.push(table.key.name);
    const set = columns.map((column) => `${quoteName(column)} = ?`).join(', ');
    const newValues = moves ? [...values, to[0]!] : values;
    return this.#run(`UPDATE ${named(table)} SET ${set} WHERE ${whereKey(table)}`, [...newValues, ...from]);
  }

  #sequence({ name }: LoggedSequence, rows: readonly (readonly Value[])[]): number {
    let changed = this.#run('DELETE FROM main.sqlite_sequence WHERE name IS ?1 AND typeof(name) = typeof(?1)', [name]);
    const insert = 'INSERT OR REPLACE INTO main.sqlite_sequence (name, rowid, seq) VALUES (?, ?, ?)';
    for (const row of rows) changed += this.#run(insert, [name, ...row]);
    return changed;
  }

  #run(sql: string, params: readonly Value[]): number {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#connection.prepare(sql)));
    const before = this.#connection.totalChanges;
    statement.bind(params);
    while (statement.step());
    return this.#connection.totalChanges - before;
  }
}

function named(table: LoggedTable): string {
  return `main.${quoteName(table.name)}`;
}

function whereKey({ key }: LoggedTable): string {
  const columns = key.kind === 'rowid' ? [key.name] : key.columns;
  return columns.map((column) => `${quoteName(column)} = ?`).join(' AND ');
}
