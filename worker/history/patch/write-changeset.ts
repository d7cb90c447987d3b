// Net changes as a changeset: any SQLite with the session extension can apply it.
import { isRawText, isReal, storageClassOf, type Value } from '#shared/protocol/values.ts';
import type { NetChange, PartialRow } from '../net-changes.ts';

/** A table whose rows can be named in a changeset. */
export interface ChangesetTable {
  readonly name: string;
  /** Each column's place in the primary key, from 1, or 0. */
  readonly primaryKey: readonly number[];
  readonly changes: readonly NetChange[];
}

const encoder = new TextEncoder();

export function writeChangeset(tables: readonly ChangesetTable[]): Uint8Array {
  const out = new ByteWriter();
  for (const { name, primaryKey, changes } of tables) {
    if (changes.length === 0) continue;
    out.byte(TABLE_MARK);
    out.varint(primaryKey.length);
    for (const place of primaryKey) out.byte(place);
    out.all(encoder.encode(`${name}\0`));
    for (const change of changes) for (const part of partsOf(change, primaryKey)) writeChange(out, part);
  }
  return out.bytes;
}

interface Part {
  readonly code: number;
  readonly rows: readonly PartialRow[];
}

/** A change of the primary key is a deleted row and an inserted one. */
function partsOf({ kind, before, after }: NetChange, primaryKey: readonly number[]): Part[] {
  if (kind === 'insert') return [{ code: ChangeCode.insert, rows: [after!] }];
  if (kind === 'delete') return [{ code: ChangeCode.delete, rows: [before!] }];
  if (movesKey(before!, after!, primaryKey)) {
    const moved = before!.map((value, place) => (after![place] === undefined ? value : after![place]));
    return [
      { code: ChangeCode.delete, rows: [before!] },
      { code: ChangeCode.insert, rows: [moved] },
    ];
  }
  const isPart = (place: number): boolean => primaryKey[place]! > 0 || after![place] !== undefined;
  const old = before!.map((value, place) => (isPart(place) ? value : undefined));
  return [{ code: ChangeCode.update, rows: [old, after!] }];
}

/** Whether an update changes its primary key: then the whole row has to be known. */
export function movesKey(before: PartialRow, after: PartialRow, primaryKey: readonly number[]): boolean {
  return primaryKey.some((place, index) => place > 0 && after[index] !== undefined && before[index] !== undefined);
}

function writeChange(out: ByteWriter, { code, rows }: Part): void {
  out.byte(code);
  out.byte(0); // direct: to other programs, a change made by the application itself
  for (const row of rows) for (const value of row) writeValue(out, value);
}

function writeValue(out: ByteWriter, value: Value | undefined): void {
  if (value === undefined) return out.byte(ValueCode.undefined);
  switch (storageClassOf(value)) {
    case 'null':
      return out.byte(ValueCode.null);
    case 'integer':
      out.byte(ValueCode.integer);
      return out.integer(BigInt(value as number | bigint));
    case 'real':
      out.byte(ValueCode.real);
      return out.real(isReal(value) ? value.real : Number(value));
    case 'text':
      return writeBytes(out, ValueCode.text, isRawText(value) ? value.textBytes : encoder.encode(value as string));
    case 'blob':
      return writeBytes(out, ValueCode.blob, value as Uint8Array);
  }
}

function writeBytes(out: ByteWriter, code: number, bytes: Uint8Array): void {
  out.byte(code);
  out.varint(bytes.length);
  out.all(bytes);
}

/** Bytes one after the other, in an array that grows. */
class ByteWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  /** SQLite's variable-length integer (sqlite.org/fileformat2.html#varint), of up to 32 bits here. */
  varint(value: number): void {
    const groups: number[] = [value & 0x7f];
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.push(0x80 | (rest & 0x7f));
    for (const group of groups.reverse()) this.byte(group);
  }

  integer(value: bigint): void {
    this.#room(8);
    this.#view.setBigInt64(this.#length, value);
    this.#length += 8;
  }

  real(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  all(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

// SQLite's changeset format (sqlite.org/session/sqlite3changeset_new.html, ext/session/sqlite3session.c): marks and numbers.

/** Begins the part about one table; `P` begins one of a patchset, which has no values to compare with. */
export const TABLE_MARK = 0x54;
export const PATCHSET_MARK = 0x50;

export const ChangeCode = { insert: 18, update: 23, delete: 9 } as const;

/** `undefined`: the column is not part of the change. */
export const ValueCode = { undefined: 0, integer: 1, real: 2, text: 3, blob: 4, null: 5 } as const;

/** The highest possible SQLITE_MAX_COLUMN (sqlite.org/limits.html). */
export const MAX_COLUMNS = 32_767;
