// The differences of two tables as changes that a patch can hold and the history can apply.
import { counted } from '#shared/counted.ts';
import type { ChangeCounts, RowChoice } from '#shared/protocol/row-comparison.ts';
import { isRawText, type Value } from '#shared/protocol/values.ts';
import type { LoggedTable } from '../engines/row-log/row-log.ts';
import type { NetChange, PartialRow } from '../history/net-changes.ts';
import { sameValue } from '../sql/same-value.ts';
import type { DifferenceSink } from './compare-tables.ts';
import type { TablePair } from './table-pairs.ts';

/** Held in memory until the comparison is closed. */
const MAX_CHANGES = 200_000;
const MAX_BYTES = 128 << 20;

const WORDS = { insert: 'inserted', update: 'updated', delete: 'deleted' } as const;

export interface ChosenChanges {
  readonly changes: readonly NetChange[];
  readonly notes: readonly string[];
}

/** Changes to all tables of a comparison. */
export class CollectedChanges {
  /** Emptied when there are too many. */
  readonly changes: NetChange[] = [];
  readonly notes: string[] = [];
  isTooMany = false;
  #bytes = 0;

  /** How many there are; null if there are too many. */
  get counts(): ChangeCounts | null {
    if (this.isTooMany) return null;
    const counts = { inserted: 0, updated: 0, deleted: 0 };
    for (const { kind } of this.changes) counts[WORDS[kind]]++;
    return counts;
  }

  chosen({ kinds, except }: RowChoice): ChosenChanges {
    const exceptions = new Set(except);
    const isChosen = ({ kind }: NetChange, number: number): boolean =>
      kinds.includes(WORDS[kind]) !== exceptions.has(number);
    return { changes: this.changes.filter(isChosen), notes: this.notes };
  }

  add(change: NetChange): void {
    if (this.isTooMany) return;
    for (const row of [change.before, change.after]) for (const value of row ?? []) this.#bytes += sizeOf(value);
    this.changes.push(change);
    if (this.changes.length <= MAX_CHANGES && this.#bytes <= MAX_BYTES) return;
    this.isTooMany = true;
    this.changes.length = 0;
  }
}

function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return value.length * 2;
  if (value instanceof Uint8Array) return value.length;
  return value !== undefined && isRawText(value) ? value.textBytes.length : 16;
}

export class TableChanges implements DifferenceSink {
  readonly #table: LoggedTable;
  readonly #keyIndexes: readonly number[];
  readonly #all: CollectedChanges;
  /** The next row id for a row without one. */
  #nextRowid: bigint;
  #unreachable = 0;
  readonly #isByKey: boolean;

  constructor(pair: TablePair, all: CollectedChanges, maxRowid: bigint) {
    this.#all = all;
    this.#table = loggedTable(pair);
    this.#isByKey = pair.key !== null && pair.isUnique;
    const { key, columns } = this.#table;
    this.#keyIndexes = key.kind === 'rowid' ? [] : key.columns.map((name) => columns.indexOf(name));
    this.#nextRowid = maxRowid + 1n;
  }

  add(
    kind: 'inserted' | 'updated' | 'deleted',
    _key: readonly Value[],
    before: readonly Value[] | null,
    after: readonly Value[] | null,
    rowid: Value,
  ): void {
    const keyBefore = before && this.#keyOf(before, rowid);
    // Rows that belong together by their key have the same one for SQLite, even if it is written differently.
    const keyAfter = kind === 'updated' && this.#isByKey ? keyBefore : after && this.#keyOf(after, rowid);
    if ([...(keyBefore ?? []), ...(keyAfter ?? [])].includes(null)) {
      this.#unreachable++;
      return;
    }
    const isChanged = (at: number): boolean => kind !== 'updated' || !sameValue(before![at]!, after![at]!);
    const changed: PartialRow | null = after && after.map((value, at) => (isChanged(at) ? value : undefined));
    this.#all.add({
      table: this.#table,
      kind: kind === 'inserted' ? 'insert' : kind === 'updated' ? 'update' : 'delete',
      keyBefore,
      keyAfter,
      before: before && [...before],
      after: changed,
      nameBefore: null,
      nameAfter: null,
    });
  }

  end(): void {
    if (this.#unreachable > 0)
      this.#all.notes.push(
        `Not possible in a patch: ${counted(this.#unreachable, 'row')} of “${this.#table.name}” whose key is NULL.`,
      );
  }

  #keyOf(row: readonly Value[], rowid: Value): readonly Value[] {
    if (this.#table.key.kind === 'primary-key') return this.#keyIndexes.map((place) => row[place]!);
    return [rowid ?? this.#nextRowid++];
  }
}

/** Identifies rows by the compared key if it is unique, otherwise by what SQLite itself finds a row by. */
function loggedTable({ from, columns, key, isUnique }: TablePair): LoggedTable {
  const names = columns.map((column) => column.from);
  const counts = { inserted: 0, updated: 0, deleted: 0 };
  const base = { name: from.name, columns: names, ...counts };
  const own = from.rowidColumn !== null && names.includes(from.rowidColumn) ? [from.rowidColumn] : null;
  if (key && isUnique) return { ...base, key: { kind: 'primary-key', columns: key.map((column) => column.from) } };
  if (own) return { ...base, key: { kind: 'primary-key', columns: own } };
  if (from.key.kind === 'rowid') return { ...base, key: { kind: 'rowid', name: from.key.name, columnIndex: null } };
  const primary = from.key.kind === 'primary-key' ? from.key.columns.map(({ name }) => name) : [];
  return { ...base, key: { kind: 'primary-key', columns: primary } };
}
