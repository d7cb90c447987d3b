// The net effect of a log per row: several changes of one row become one, and each can be inverted.
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { LoggedChange, LoggedTable } from '../engines/row-log/row-log.ts';
import { sameRow, sameValue } from '../sql/same-value.ts';
import { spread, namedBy, nameBefore, type RowChangeLogged } from './differences.ts';

/** Values by column index; `undefined` when unchanged or unknown. */
export type PartialRow = (Value | undefined)[];

export interface NetChange {
  readonly table: LoggedTable;
  readonly kind: 'insert' | 'update' | 'delete';
  /** Null for an insert. */
  readonly keyBefore: readonly Value[] | null;
  /** Null for a delete. */
  readonly keyAfter: readonly Value[] | null;
  /** Null for an insert. */
  readonly before: PartialRow | null;
  /** Null for a delete. */
  readonly after: PartialRow | null;
  /** Same as `name` of a logged update. Null when it is unknown or there is no such row. */
  readonly nameBefore: readonly Value[] | null;
  readonly nameAfter: readonly Value[] | null;
}

export function netChanges(changes: Iterable<LoggedChange>): NetChange[] {
  const rows = new Rows();
  for (const change of changes) if (change.operation !== 'sequence') rows.add(change);
  return rows.result;
}

export function inverse({ table, kind, ...sides }: NetChange): NetChange {
  const inverted = kind === 'insert' ? 'delete' : kind === 'delete' ? 'insert' : 'update';
  return {
    table,
    kind: inverted,
    keyBefore: sides.keyAfter,
    keyAfter: sides.keyBefore,
    before: sides.after,
    after: sides.before,
    nameBefore: sides.nameAfter,
    nameAfter: sides.nameBefore,
  };
}

/** Converts to a single row change, for display. */
export function asLogged(change: NetChange): RowChangeLogged {
  const { table } = change;
  const nulls = (row: PartialRow): Value[] => row as Value[]; // holes stay holes: the grid shows them as unknown
  if (change.kind === 'insert')
    return { operation: 'insert', table, key: change.keyAfter!, after: nulls(change.after!) };
  if (change.kind === 'delete')
    return { operation: 'delete', table, key: change.keyBefore!, before: nulls(change.before!) };
  const places = [...table.columns.keys()].filter(
    (place) => change.before![place] !== undefined || change.after![place] !== undefined,
  );
  return {
    operation: 'update',
    table,
    keyBefore: change.keyBefore!,
    keyAfter: change.keyAfter!,
    name: change.nameAfter,
    columnIndexes: places,
    before: places.map((place) => change.before![place] as Value),
    after: places.map((place) => change.after![place] as Value),
  };
}

/** Returns texts that are equal exactly when the keys are. */
export function keyText(table: string, key: readonly Value[]): string {
  return `${table}\n${key.map(valueText).join('\n')}`;
}

function valueText(value: Value): string {
  if (value === null) return 'n';
  if (typeof value === 'string') return `t${JSON.stringify(value)}`;
  if (typeof value !== 'object') return `i${value}`;
  if (isReal(value)) return `i${value.real}`;
  return isRawText(value) ? `r${bytesText(value.textBytes)}` : `b${bytesText(value as Uint8Array)}`;
}

/** One character each, because keys may have many bytes. */
const oneEach = new TextDecoder('latin1');
/** Its length tells where it ends, because any byte may be in it. */
const bytesText = (bytes: Uint8Array): string => `${bytes.length}:${oneEach.decode(bytes)}`;

/** A net change that may still grow; `gone` when the changes canceled out. */
interface Row {
  readonly table: LoggedTable;
  keyBefore: readonly Value[] | null;
  keyAfter: readonly Value[] | null;
  before: PartialRow | null;
  after: PartialRow | null;
  readonly nameBefore: readonly Value[] | null;
  nameAfter: readonly Value[] | null;
}

class Rows {
  readonly #all: Row[] = [];
  /** Rows that exist now and rows that no longer do, by key. */
  readonly #live = new Map<string, Row>();
  readonly #deleted = new Map<string, Row>();

  get result(): NetChange[] {
    return this.#all.flatMap((row) => {
      const { keyBefore, keyAfter } = row;
      if (!keyBefore && !keyAfter) return [];
      const kind = !keyBefore ? 'insert' : !keyAfter ? 'delete' : 'update';
      if (kind === 'update' && !prune(row)) return [];
      return [{ ...row, kind }];
    });
  }

  add(change: RowChangeLogged): void {
    switch (change.operation) {
      case 'insert':
        return this.#insert(change);
      case 'update':
        return this.#update(change);
      case 'delete':
        return this.#delete(change);
    }
  }

  #insert({ table, key, after }: Extract<RowChangeLogged, { operation: 'insert' }>): void {
    const text = keyText(table.name, key);
    const values = after ? [...after] : table.columns.map(() => undefined);
    const again = this.#deleted.get(text);
    this.#deleted.delete(text);
    const row = again ?? this.#start({ table, keyBefore: null, before: null, nameBefore: null });
    row.keyAfter = key;
    row.after = values;
    row.nameAfter = namedBy(table, after);
    this.#live.set(text, row);
  }

  #update(change: Extract<RowChangeLogged, { operation: 'update' }>): void {
    const { table, keyBefore, keyAfter, columnIndexes: places, before, after } = change;
    const text = keyText(table.name, keyBefore);
    const row =
      this.#live.get(text) ??
      this.#start({ table, keyBefore, before: spread(table, [], []), nameBefore: nameBefore(change) });
    this.#live.delete(text);
    row.after ??= spread(table, [], []);
    for (const [index, place] of places.entries()) {
      const untouched =
        row.keyBefore && row.before && row.before[place] === undefined && row.after[place] === undefined;
      if (untouched) row.before![place] = before[index]!;
      row.after[place] = after?.[index];
    }
    row.keyAfter = keyAfter;
    row.nameAfter = change.name;
    this.#live.set(keyText(table.name, keyAfter), row);
  }

  #delete({ table, key, before }: Extract<RowChangeLogged, { operation: 'delete' }>): void {
    const text = keyText(table.name, key);
    const row =
      this.#live.get(text) ??
      this.#start({ table, keyBefore: key, before: spread(table, [], []), nameBefore: namedBy(table, before) });
    this.#live.delete(text);
    row.keyAfter = row.after = row.nameAfter = null;
    if (!row.keyBefore) return;
    const known = row.before!;
    row.before = before.map((value, place) => (known[place] === undefined ? value : known[place]));
    this.#deleted.set(keyText(table.name, row.keyBefore), row);
  }

  #start(found: Pick<Row, 'table' | 'keyBefore' | 'before' | 'nameBefore'>): Row {
    const row: Row = { ...found, keyAfter: found.keyBefore, after: null, nameAfter: null };
    this.#all.push(row);
    return row;
  }
}

/** Drops columns whose values ended up unchanged. False when nothing is left of an update. */
function prune({ keyBefore, keyAfter, before, after }: Row): boolean {
  let changed = !sameRow(keyBefore, keyAfter);
  for (const [place, value] of before!.entries()) {
    const now = after![place];
    if (value === undefined || now === undefined || !sameValue(value, now)) {
      if (value !== undefined || now !== undefined) changed = true;
      continue;
    }
    before![place] = after![place] = undefined;
  }
  return changed;
}
