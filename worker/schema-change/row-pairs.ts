// Pairs the columns of a table with those of the table it is made from, and defines how a row of one finds its row in the other.
import type { ColumnProof } from '#shared/protocol/schema-change.ts';
import type { KeyColumn, TableShape } from '../schema/table-shape.ts';

export interface ColumnPair {
  readonly to: string;
  readonly from: string;
}

/** `o` is the old row, `n` the row made from it. */
export interface RowPairs {
  /** Written columns, including the row id under a name of its own where it is no column. */
  readonly written: readonly ColumnPair[];
  /** Columns in which every value must stay the same. */
  readonly same: readonly ColumnPair[];
  /** Columns whose type or role in the table changes: values may change. */
  readonly converted: readonly ColumnPair[];
  readonly columns: readonly ColumnProof[];
  readonly rowids: 'kept' | 'new' | 'none';
  readonly join: Join | null;
}

export interface Join {
  /** The table that is read from its beginning; rows of the other are looked up. */
  readonly outer: 'o' | 'n';
  readonly on: readonly { readonly o: string; readonly n: string; readonly collation: string | null }[];
}

/** @param sources the former name of each column of `after`; null: a new one */
export function pairRows(before: TableShape, after: TableShape, sources: readonly (string | null)[]): RowPairs {
  const from = new Map(after.columns.map(({ name }, at) => [name, sources[at] ?? null]));
  const keySource = after.rowidColumn === null ? null : (from.get(after.rowidColumn) ?? null);
  const columns = after.columns.map((column): ColumnProof => {
    const source = from.get(column.name)!;
    if (column.generated !== 'no') return { name: column.name, from: source, values: 'computed', changed: 0 };
    if (source === null) return { name: column.name, from: null, values: 'new', changed: 0 };
    const old = before.columns.find(({ name }) => name === source)!;
    const isSame =
      old.declaredType.toLowerCase() === column.declaredType.toLowerCase() &&
      before.strict === after.strict &&
      // A row id is given to a row that has none, and numbers become integers.
      (column.name === after.rowidColumn) === (source === before.rowidColumn);
    return { name: column.name, from: source, values: isSame ? 'same' : 'converted', changed: 0 };
  });
  const of = (values: ColumnProof['values']): readonly ColumnPair[] =>
    columns.flatMap((column) => (column.values === values ? [{ to: column.name, from: column.from! }] : []));
  const [same, converted] = [of('same'), of('converted')];
  const join = joinOf(before, after, { from, same });
  // A row that is found by its row id has it.
  const isJoined = ({ to }: ColumnPair): boolean =>
    join?.on.some(({ n, collation }) => n === to && collation === null) ?? false;
  const rowid = keySource === null && before.key.kind === 'rowid' && after.key.kind === 'rowid'
    ? [{ to: after.key.name, from: before.key.name }]
    : []; // prettier-ignore
  return {
    written: [...same, ...converted, ...rowid],
    same: same.filter((pair) => !isJoined(pair)),
    converted,
    columns,
    rowids: rowidsOf(before, after, keySource),
    join,
  };
}

function rowidsOf(before: TableShape, after: TableShape, keySource: string | null): RowPairs['rowids'] {
  if (after.withoutRowid) return 'none';
  if (before.key.kind !== 'rowid' || after.key.kind !== 'rowid') return 'new';
  return keySource === null || keySource === before.rowidColumn ? 'kept' : 'new';
}

/** Rows are looked up by their row ids, or by key columns whose values stay the same: converted values cannot be found by the old ones. */
function joinOf(
  before: TableShape,
  after: TableShape,
  { from, same }: { readonly from: ReadonlyMap<string, string | null>; readonly same: readonly ColumnPair[] },
): Join | null {
  if (after.key.kind === 'rowid') {
    const source = after.rowidColumn === null ? null : from.get(after.rowidColumn)!;
    if (source !== null) return { outer: 'o', on: [{ o: source, n: after.key.name, collation: null }] };
    if (before.key.kind === 'rowid')
      return { outer: 'o', on: [{ o: before.key.name, n: after.key.name, collation: null }] };
  }
  const by = (outer: Join['outer'], columns: readonly KeyColumn[]): Join | null => {
    const on = columns.flatMap(({ name, collation }) => {
      const pair = same.find((one) => (outer === 'o' ? one.to : one.from) === name);
      return pair === undefined ? [] : [{ o: pair.from, n: pair.to, collation }];
    });
    return on.length === columns.length ? { outer, on } : null;
  };
  return (
    (after.key.kind === 'primary-key' ? by('o', after.key.columns) : null) ??
    (before.key.kind === 'primary-key' ? by('n', before.key.columns) : null)
  );
}
