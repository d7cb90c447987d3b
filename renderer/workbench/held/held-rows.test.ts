import { expect, test, vi } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { ReaderInfo, Value } from '#shared/protocol/index.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { OwnEdits } from '../rows/own-edits.ts';
import { writeValue } from '../rows/write-value.ts';

vi.mock('./held-store.ts', () => ({ useHeld: { getState: () => ({}), subscribe: () => () => undefined } }));
const { HeldRows } = await import('./held-rows.ts');

/** Rows of `id` (the key), `name`, and `price`. */
function rowsOf(...rows: readonly (readonly Value[])[]): CachedRow[] {
  const writer = new PackedRowsWriter(3, { expectedRows: rows.length, previewBytes: 8 });
  for (const value of rows.flat()) writeValue(writer, value);
  const reader = new PackedRowsReader(writer.finish());
  return rows.map((_, index) => ({ rows: reader, index }));
}

function setUp() {
  const info = {
    columns: ['id', 'name', 'price'].map((name) => ({ name })),
    hiddenColumns: 0,
    key: { kind: 'rowid', columns: [0] },
  } as unknown as ReaderInfo;
  const ownEdits: OwnEdits = new OwnEdits(() => shown.ownEditsChanged());
  const storedKeyOf = (rows: PackedRowsReader, index: number): readonly Value[] => [rows.value(index, 0)];
  const shown = new HeldRows({ database: 'db', table: 't', info, ownEdits, storedKeyOf }, () => undefined);
  const valuesOf = (row: CachedRow): Value[] => {
    const { rows, index } = shown.shown(row);
    return [0, 1, 2].map((packed) => rows.value(index, packed));
  };
  return { ownEdits, shown, valuesOf };
}

test('a value that was just stored is shown until the row comes back', () => {
  const { ownEdits, shown, valuesOf } = setUp();
  const [ant, bee] = rowsOf([1, 'ant', 2], [2, 'bee', 3]) as [CachedRow, CachedRow];
  expect(shown.shown(ant)).toBe(ant);
  ownEdits.note([1], 1, 'ant', 'emu');
  expect(valuesOf(ant)).toEqual([1, 'emu', 2]);
  expect(shown.shown(ant)).toBe(shown.shown(ant));
  expect(shown.shown(bee)).toBe(bee);

  // It is no change that waits, and its row is the stored one.
  const { rows, index } = shown.shown(ant);
  expect([shown.markOf({ rows, index }, 1), shown.idOf(rows), shown.isDeleted(rows)]).toEqual([null, null, false]);
  expect(shown.storedOf(rows, index)).toBe(ant);

  ownEdits.forget();
  shown.ownEditsChanged();
  expect(shown.shown(ant)).toBe(ant);
});

test('a row that came back in the meantime is shown as it is, and so are its key and long values', () => {
  const { ownEdits, shown } = setUp();
  const [theirs, long] = rowsOf([1, 'yak', 2], [2, 'a long value', 3]) as [CachedRow, CachedRow];
  ownEdits.note([1], 1, 'ant', 'emu');
  ownEdits.note([1], 0, 1, 7);
  ownEdits.note([2], 1, 'a long value', 'short');
  expect(shown.shown(theirs)).toBe(theirs);
  expect(shown.shown(long)).toBe(long);
});
