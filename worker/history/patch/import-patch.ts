// A changeset file as changes to merge into the tables of this database.
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import type { LoggedTable } from '../../engines/row-log/row-log.ts';
import { describeTable } from '../../schema/table-shape.ts';
import { decodeText } from '#shared/packed-rows/reader.ts';
import { keyText, type NetChange, type PartialRow } from '../net-changes.ts';
import { ChangeCode, MAX_COLUMNS, PATCHSET_MARK, TABLE_MARK, ValueCode } from './write-changeset.ts';

/** Held in memory during the search for conflicts. */
const MAX_CHANGES = 2_000_000;
/** One that is missing takes a byte of the file, and eight of memory. */
const MAX_VALUES = 50_000_000;

/** @throws AppError `invalid` when the file is not a changeset, or not one for tables like these */
export function changesOfPatch(connection: Connection, bytes: Uint8Array): NetChange[] {
  const tables = new Map<string, LoggedTable>();
  const changes: NetChange[] = [];
  const seen = new Set<string>();
  let values = 0;
  for (const change of readChangeset(bytes)) {
    if (changes.length >= MAX_CHANGES)
      fail('too-big', `This patch has more than ${MAX_CHANGES} changes. Nothing was changed.`);
    values += (change.kind === 'update' ? 2 : 1) * change.columnCount;
    if (values > MAX_VALUES) fail('too-big', `This patch has more than ${MAX_VALUES} values. Nothing was changed.`);
    const id = `${change.columnCount}\n${change.primaryKey.join()}\n${change.table}`;
    let table = tables.get(id);
    if (!table) tables.set(id, (table = matchingTable(connection, change)));
    const net = netChange(table, change);
    const text = keyText(table.name, net.keyBefore ?? net.keyAfter!) + (net.kind === 'insert' ? '+' : '');
    if (seen.has(text)) throw unfit(`it changes one row of “${table.name}” twice`);
    seen.add(text);
    changes.push(net);
  }
  return changes;
}

/** Rows are named by the declared primary key here: row ids mean nothing in another database. */
function matchingTable(connection: Connection, { table, columnCount, primaryKey }: ChangesetChange): LoggedTable {
  const shape = describe(connection, table);
  const columns = shape.columns.filter(({ generated }) => generated === 'no');
  if (shape.kind !== 'table') throw unfit(`“${shape.name}” is not an ordinary table here`);
  if (columns.length < columnCount)
    throw unfit(`it has ${columnCount} columns for “${shape.name}”, which has ${columns.length} here`);
  const declared = columns.flatMap(({ primaryKeyIndex }, place) => (primaryKeyIndex > 0 ? [place] : []));
  if (declared.join() !== primaryKey.join()) throw unfit(`“${shape.name}” has another primary key here`);
  return {
    name: shape.name,
    columns: columns.slice(0, columnCount).map(({ name }) => name),
    key: { kind: 'primary-key', columns: declared.map((place) => columns[place]!.name) },
    inserted: 0,
    updated: 0,
    deleted: 0,
  };
}

function netChange(table: LoggedTable, { kind, before, after, primaryKey }: ChangesetChange): NetChange {
  const keyOf = (row: PartialRow): Value[] =>
    primaryKey.map((place) => {
      const value = row[place];
      if (value === undefined || value === null) throw unfit(`a row of “${table.name}” has no primary key in it`);
      return value;
    });
  if (kind !== 'update' && (before ?? after)!.includes(undefined))
    throw unfit(`a row of “${table.name}” is not complete`);
  const keyBefore = before && keyOf(before);
  const names = { nameBefore: null, nameAfter: null }; // the keys identify the rows
  if (kind !== 'update') return { table, kind, keyBefore, keyAfter: after && keyOf(after), before, after, ...names };
  if (primaryKey.some((place) => after![place] !== undefined))
    throw unfit(`it changes a primary key of “${table.name}” in place`);
  if (after!.some((value, place) => value !== undefined && before![place] === undefined))
    throw unfit(`it does not say what a value of “${table.name}” was before`);
  return { table, kind, keyBefore, keyAfter: keyBefore, before, after, ...names };
}

function describe(connection: Connection, table: string) {
  try {
    return describeTable(connection, table);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') throw unfit(`there is no table “${table}” here`);
    throw error;
  }
}

function unfit(why: string): AppError {
  return AppError.invalid(`This patch does not fit this database: ${why}. Nothing was changed.`);
}

// Reads a changeset file from an untrusted source: every length is checked before it is used.

interface ChangesetChange {
  readonly table: string;
  readonly columnCount: number;
  /** Places of the primary key's columns, ascending. */
  readonly primaryKey: readonly number[];
  readonly kind: keyof typeof ChangeCode;
  /** Null for an insert. */
  readonly before: PartialRow | null;
  /** Null for a delete. */
  readonly after: PartialRow | null;
}

const MAX_NAME_BYTES = 4096;
/** SQLite's own longest value. */
const MAX_VALUE_BYTES = 1_000_000_000;
const KINDS = new Map<number, ChangesetChange['kind']>([
  [ChangeCode.insert, 'insert'],
  [ChangeCode.update, 'update'],
  [ChangeCode.delete, 'delete'],
]);

/** @throws AppError `invalid` that says where the file stops making sense */
export function* readChangeset(bytes: Uint8Array): Generator<ChangesetChange> {
  if (bytes[0] === PATCHSET_MARK)
    fail(
      'invalid',
      'This is a patchset, which leaves out what rows looked like before: it could overwrite newer values unseen. Ask for a changeset. Nothing was changed.',
    );
  const reader = new Reader(bytes);
  let table: Pick<ChangesetChange, 'table' | 'columnCount' | 'primaryKey'> | null = null;
  while (!reader.atEnd) {
    if (reader.peek() === TABLE_MARK) table = reader.table();
    else if (table === null) throw reader.nonsense('it does not begin with a table');
    else yield { ...table, ...reader.change(table.columnCount) };
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  peek(): number {
    return this.#bytes[this.#at]!;
  }

  table(): Pick<ChangesetChange, 'table' | 'columnCount' | 'primaryKey'> {
    this.#byte();
    const columnCount = this.#varint();
    if (columnCount < 1 || columnCount > MAX_COLUMNS) throw this.nonsense(`a table with ${columnCount} columns`);
    const flags = this.#take(columnCount);
    const primaryKey = [...flags.keys()].filter((place) => flags[place] !== 0);
    if (primaryKey.length === 0) throw this.nonsense('a table without a primary key');
    const end = this.#bytes.subarray(this.#at, this.#at + MAX_NAME_BYTES).indexOf(0);
    if (end < 0) throw this.nonsense('a name without an end');
    const name = decodeText(this.#take(end));
    this.#byte();
    if (typeof name !== 'string' || name === '') throw this.nonsense('a name that is no text');
    return { table: name, columnCount, primaryKey };
  }

  change(columnCount: number): Pick<ChangesetChange, 'kind' | 'before' | 'after'> {
    const kind = KINDS.get(this.#byte());
    if (kind === undefined) throw this.nonsense('a change of an unknown kind');
    this.#byte();
    const before = kind === 'insert' ? null : this.#row(columnCount);
    const after = kind === 'delete' ? null : this.#row(columnCount);
    return { kind, before, after };
  }

  nonsense(what: string): AppError {
    return AppError.invalid(
      `This is not a changeset as SQLite writes it: ${what}, near byte ${this.#at}. Nothing was changed.`,
    );
  }

  #row(columnCount: number): PartialRow {
    // A column takes at least a byte: a wrong count must not make us reserve memory.
    if (columnCount > this.#bytes.length - this.#at) throw this.nonsense('it ends in the middle of a row');
    const row: PartialRow = [];
    for (let column = 0; column < columnCount; column++) row.push(this.#value());
    return row;
  }

  #value(): Value | undefined {
    switch (this.#byte()) {
      case ValueCode.undefined:
        return undefined;
      case ValueCode.null:
        return null;
      case ValueCode.integer: {
        const value = this.#view.getBigInt64(this.#skip(8));
        return Number.isSafeInteger(Number(value)) ? Number(value) : value;
      }
      case ValueCode.real: {
        const value = this.#view.getFloat64(this.#skip(8));
        // SQLite has no NaN: it would become NULL unseen.
        if (Number.isNaN(value)) throw this.nonsense('a number that is none');
        return Number.isInteger(value) ? { real: value } : value;
      }
      case ValueCode.text:
        return decodeText(this.#take(this.#length()).slice());
      case ValueCode.blob:
        return this.#take(this.#length()).slice();
      default:
        throw this.nonsense('a value of an unknown type');
    }
  }

  #length(): number {
    const length = this.#varint();
    if (length > MAX_VALUE_BYTES) throw this.nonsense(`a value of ${length} bytes`);
    return length;
  }

  #varint(): number {
    let value = 0;
    for (let count = 0; count < 5; count++) {
      const byte = this.#byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw this.nonsense('a length without an end');
  }

  #byte(): number {
    return this.#bytes[this.#skip(1)]!;
  }

  #take(length: number): Uint8Array {
    const from = this.#skip(length);
    return this.#bytes.subarray(from, from + length);
  }

  /** Returns where they began. */
  #skip(length: number): number {
    const from = this.#at;
    if (length > this.#bytes.length - from) throw this.nonsense('it ends in the middle of a value');
    this.#at = from + length;
    return from;
  }
}
