// Applies edits of the grid to one table, each only if the row is still as the user saw it.
import { changedMeanwhile } from '#shared/changed-meanwhile.ts';
import type { EditReply, MadeChange, RowChange } from '#shared/protocol/edit.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { sameValue } from '../sql/same-value.ts';
import { keyCondition, keyNames, type TableShape } from '../schema/table-shape.ts';
import { describeEditable } from '../schema/view-key.ts';
import { applyTogether, type EditTerms, type KeepMade, type TermedChange } from './apply-together.ts';
import { deleteReferring, namingForeignKey } from './foreign-key-failure.ts';
import { changeFor } from './made-changes.ts';
import { assertNoTransaction, atomically } from '../engines/transaction.ts';

type Key = readonly Value[];

/** SQLITE_MISMATCH: a value other than an integer for an INTEGER PRIMARY KEY. */
const MISMATCH = 20;

/** @throws AppError `constraint`, `conflict`, `not-found`, `invalid`; nothing was changed then */
export function applyChanges(
  connection: Connection,
  table: string,
  changes: readonly RowChange[],
  keep?: KeepMade,
): EditReply {
  const editor = new TableEditor(connection, table);
  if (connection.writeTogether && connection.autocommit && editor.shape.kind === 'table') {
    const { terms } = editor;
    const termed = changes.map((change) => ({ terms, change }));
    return namingConstraint(editor.shape, () => applyTogether(connection, termed, keep));
  }
  const work = (): EditReply => ({
    keys: changes.map((change) => editor.apply(change)),
    rowsChanged: changes.length,
  });
  const named = changes.map((change) => ({ ...change, table }));
  return namingForeignKey(connection, named, () => atomically(connection, work));
}

/**
 * Makes changes that lead from rows as they were to rows as they are to be, each only if its row still is as it was.
 * @throws AppError as {@link applyChanges}; nothing was changed then
 */
export function applyMade(connection: Connection, made: readonly MadeChange[], keep: KeepMade): void {
  assertNoTransaction(connection.autocommit);
  const tables = new Map<string, EditTerms>();
  const termsOf = (table: string): EditTerms => {
    const terms = tables.get(table) ?? { ...new TableEditor(connection, table).terms, conflict: changedIn(table) };
    tables.set(table, terms);
    return terms;
  };
  const changes = made.map((one): TermedChange => ({ terms: termsOf(one.table), change: changeFor(one) }));
  const [first, ...others] = tables.values();
  const apply = (): void => void applyTogether(connection, changes, keep);
  // The table an error is about is named only where there is one.
  if (first && others.length === 0) namingConstraint(first.shape, apply);
  else apply();
}

/** Applies changes to one table, one by one. */
export class TableEditor {
  readonly shape: TableShape;
  readonly #connection: Connection;
  readonly #table: string;
  readonly #keyList: string;

  /** @throws AppError `not-found`, `invalid` */
  constructor(connection: Connection, table: string) {
    const shape = describeEditable(connection, table);
    if (shape.kind === 'view' && shape.key.kind === 'none') fail('invalid', shape.key.why);
    this.#connection = connection;
    this.shape = shape;
    this.#table = `main.${quoteName(shape.name)}`;
    this.#keyList = quoteNames(keyNames(shape.key));
  }

  /** Terms for an engine that makes the writes and the checks in one round trip. */
  get terms(): EditTerms {
    return {
      shape: this.shape,
      condition: this.#condition(),
      assertWritable: (columns) => this.#checkWritable(columns),
      conflict: (column, now = null) => changedMeanwhile(column, now),
      gone: () => this.#gone(),
      keptByTrigger,
    };
  }

  /** Returns the key that the row has now. @throws AppError; the row is as it was then, unless the whole transaction was rolled back */
  apply(change: RowChange): Key | null {
    return namingConstraint(this.shape, () => this.#apply(change));
  }

  /** The stored values of these columns. @throws AppError `not-found` */
  current(key: Key, columns: readonly string[]): readonly Value[] {
    return this.#current(key, columns);
  }

  /** @throws AppError `not-found`, `invalid` */
  assertWritable(columns: readonly string[]): void {
    this.#checkWritable(columns);
  }

  #apply(change: RowChange): Key | null {
    switch (change.kind) {
      case 'insert':
        return this.#insert(change.set);
      case 'update':
        return this.#update(change);
      case 'duplicate':
        return this.#duplicate(change.key);
      case 'delete':
        return this.#delete(change);
    }
  }

  #insert(set: Readonly<Record<string, Value>>): Key | null {
    const columns = Object.keys(set);
    this.#checkWritable(columns);
    const values =
      columns.length === 0
        ? 'DEFAULT VALUES'
        : `(${quoteNames(columns)}) VALUES (${columns.map(() => '?').join(', ')})`;
    return this.#add(`INSERT INTO ${this.#table} ${values}`, Object.values(set));
  }

  #duplicate(key: Key): Key | null {
    this.#current(key, []);
    // SQLite creates a new row id for the copy; the user has to change other unique columns first.
    const columns = this.shape.columns.filter(
      (column) => column.generated === 'no' && column.name !== this.shape.rowidColumn,
    );
    const list = quoteNames(columns.map((column) => column.name));
    if (list === '') return this.#add(`INSERT INTO ${this.#table} DEFAULT VALUES`, []);
    return this.#add(
      `INSERT INTO ${this.#table} (${list}) SELECT ${list} FROM ${this.#table} WHERE ${this.#condition()}`,
      key,
    );
  }

  #add(sql: string, params: readonly Value[]): Key | null {
    if (this.shape.kind === 'virtual') {
      this.#connection.run(sql, params);
      return this.#keyList === '' ? null : [this.#connection.lastInsertRowid];
    }
    if (this.shape.kind === 'view') {
      // What its triggers have made of the row is not known.
      this.#connection.run(sql, params);
      return null;
    }
    const [row] = this.#connection.all(`${sql} RETURNING ${this.#keyList || '1'}`, params);
    if (!row) throw keptByTrigger();
    return this.#keyList === '' ? null : row;
  }

  #update({ key, set, base }: Extract<RowChange, { kind: 'update' }>): Key {
    const columns = Object.keys(set);
    this.#checkWritable(columns);
    this.#checkBase(key, base);
    if (columns.length === 0) return key;
    const assignments = columns.map((column) => `${quoteName(column)} = ?`).join(', ');
    const sql = `UPDATE ${this.#table} SET ${assignments} WHERE ${this.#condition()}`;
    const params = [...Object.values(set), ...key];
    if (this.shape.kind === 'virtual') {
      this.#connection.run(sql, params);
      return key;
    }
    if (this.shape.kind === 'view') {
      this.#connection.run(sql, params);
      return keyNames(this.shape.key).map((name, at) => (Object.hasOwn(set, name) ? set[name]! : key[at]!));
    }
    const [row] = this.#connection.all(`${sql} RETURNING ${this.#keyList}`, params);
    if (!row) throw keptByTrigger();
    return row;
  }

  #delete({ key, withReferring }: Extract<RowChange, { kind: 'delete' }>): null {
    this.#current(key, []);
    if (withReferring) deleteReferring(this.#connection, this.shape, key);
    this.#connection.run(`DELETE FROM ${this.#table} WHERE ${this.#condition()}`, key);
    if (this.#connection.one(`SELECT 1 FROM ${this.#table} WHERE ${this.#condition()}`, key)) throw keptByTrigger();
    return null;
  }

  #checkBase(key: Key, base: Readonly<Record<string, Value>>): void {
    const columns = Object.keys(base);
    const current = this.#current(key, columns);
    for (const [index, column] of columns.entries()) {
      const now = current[index]!;
      if (sameValue(now, base[column]!)) continue;
      throw changedMeanwhile(column, now);
    }
  }

  #current(key: Key, columns: readonly string[]): readonly Value[] {
    const list = columns.length === 0 ? '1' : quoteNames(columns);
    const rows = this.#connection.all(`SELECT ${list} FROM ${this.#table} WHERE ${this.#condition()} LIMIT 2`, key);
    if (rows.length === 1) return rows[0]!;
    throw rows.length === 0 ? this.#gone() : this.#ambiguous();
  }

  #ambiguous(): AppError {
    return AppError.invalid(
      `Several rows of “${this.shape.name}” have the same key, so this one cannot be changed alone. Nothing was changed.`,
    );
  }

  #gone(): AppError {
    return AppError.notFound(`This row of “${this.shape.name}” no longer exists. Nothing was changed.`);
  }

  #condition(): string {
    if (this.shape.key.kind !== 'none') return keyCondition(this.shape.key);
    fail('invalid', this.shape.key.why);
  }

  #checkWritable(columns: readonly string[]): void {
    for (const name of columns) {
      const column = this.shape.columns.find((candidate) => candidate.name === name);
      if (!column) fail('not-found', `“${this.shape.name}” has no column “${name}”. Nothing was changed.`);
      if (column.generated === 'no') continue;
      fail('invalid', `“${name}” is computed from other columns and cannot be written. Nothing was changed.`);
    }
  }
}

/** Names the table, because no cell is in view at this point and several tables may be changed together. */
const changedIn =
  (table: string): EditTerms['conflict'] =>
  (column) =>
    AppError.conflict(`“${column}” of a row of “${table}” was changed in the meantime. Nothing was overwritten.`);

function keptByTrigger(): AppError {
  return AppError.constraint('A trigger of the table ignored this change. Nothing was changed.', {
    detail: { kind: 'trigger' },
  });
}

function namingConstraint<T>(shape: TableShape, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asConstraint(error, shape);
  }
}

function asConstraint(error: unknown, shape: TableShape): unknown {
  if (!(error instanceof AppError) || error.sqlite?.result !== MISMATCH) return error;
  return AppError.constraint(
    `“${shape.rowidColumn ?? 'rowid'}” of “${shape.name}” accepts only integers. Nothing was changed.`,
    { sqlite: error.sqlite, detail: { kind: 'data-type', table: shape.name, columns: shape.rowidColumn ?? 'rowid' } },
  );
}
