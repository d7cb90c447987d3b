import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { copyCells, quoted } from './clipboard.ts';
import type { CopyRequest } from './clipboard.ts';
import type { GridSource } from '../grid-source.ts';
import { FIRST_CELL, addRange, extendTo, selectAll, selectCell } from './selection.ts';

const COLUMNS = ['id', 'a name', 'long'];

function sourceOf(rows: number): GridSource {
  const extent = { rows, exact: true };
  return {
    columns: COLUMNS.map((name) => ({ name, typeLabel: '' })),
    hiddenColumns: 1,
    extent,
    read(start, count) {
      const writer = new PackedRowsWriter(COLUMNS.length + 1);
      for (let row = start; row < Math.min(rows, start + count); row++) {
        writer.integer(-1);
        writer.integer(row);
        if (row % 3 === 1) writer.null();
        else writer.text(row % 3 === 0 ? `name ${row}` : 'two\nlines\tand "quotes"');
        writer.text('x'.repeat(2000));
      }
      return Promise.resolve({ rows: writer.finish(), start, exactPosition: true, extent });
    },
    readWhole: ({ position, column }) => Promise.resolve(`whole ${position}:${column}`),
    keyColumns: [0],
    watch: () => Promise.resolve(null),
    locate: () => null,
    subscribe: () => () => undefined,
  };
}

const copy = (change: Partial<CopyRequest>, rows = 10) =>
  copyCells({
    source: sourceOf(rows),
    selection: FIRST_CELL,
    bounds: { rows, displayColumns: 3 },
    columns: [0, 1, 2],
    seen: new Map(),
    withHeaders: false,
    ...change,
  });
const textOf = async (change: Partial<CopyRequest>): Promise<string> => {
  const outcome = await copy(change);
  return outcome.kind === 'copied' ? outcome.text : outcome.message;
};

test('a block, with NULL as nothing and text quoted where it must be', async () => {
  const selection = extendTo(selectCell({ row: 0, displayIndex: 0 }), { row: 2, displayIndex: 1 });
  expect(await textOf({ selection })).toBe('0\tname 0\n1\t\n2\t"two\nlines\tand ""quotes"""');
});

test('a single cell is copied as it is', async () => {
  expect(await textOf({ selection: selectCell({ row: 2, displayIndex: 1 }) })).toBe('two\nlines\tand "quotes"');
});

test('a value that would be read in part only is refused', async () => {
  const source = sourceOf(1);
  const read = async (start: number, count: number) => {
    const page = await source.read(start, count);
    // In a preview, the length of the whole value precedes its beginning.
    const offset = new Uint32Array(page.rows.slots)[3 * 2]!;
    new DataView(page.rows.heap.buffer, page.rows.heap.byteOffset).setFloat64(offset - 8, 16 * 1024 * 1024 + 1, true);
    return page;
  };
  const selection = selectCell({ row: 0, displayIndex: 2 });
  expect(await copy({ selection })).toMatchObject({ kind: 'copied' });
  expect(await copy({ selection, source: { ...source, read } })).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('Nothing was copied'),
  });
});

test('headers, in the order the columns are shown', async () => {
  const selection = extendTo(selectCell({ row: 0, displayIndex: 0 }), { row: 0, displayIndex: 1 });
  expect(await textOf({ selection, columns: [1, 0, 2], withHeaders: true })).toBe('a name\tid\nname 0\t0');
});

test('values that are here only as previews are read whole', async () => {
  expect(await textOf({ selection: selectCell({ row: 4, displayIndex: 2 }) })).toBe('whole 4:2');
});

test('several ranges are one block with holes', async () => {
  const selection = addRange(selectCell({ row: 0, displayIndex: 0 }), { row: 4, displayIndex: 1 });
  expect(await textOf({ selection })).toBe('0\t\n\t');
});

test('pages through a large selection and says when it is too large', async () => {
  const selection = extendTo(selectCell({ row: 0, displayIndex: 0 }), { row: 4_999, displayIndex: 0 });
  const outcome = await copy({ selection }, 5000);
  expect(outcome).toMatchObject({ kind: 'copied', rows: 5000, columns: 1 });
  expect(outcome.kind === 'copied' && outcome.text.split('\n').at(-1)).toBe('4999');
  expect(await copy({ selection: selectAll(FIRST_CELL) }, 5_000_000)).toMatchObject({ kind: 'refused' });
  expect(await copy({}, 0)).toMatchObject({ kind: 'refused' });
});

test('quoted text reads back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ') }), (text) => {
      const out = quoted(text);
      const back = out.startsWith('"') && out.length > 1 ? out.slice(1, -1).replaceAll('""', '"') : out;
      expect(back).toBe(text);
    }),
    { seed: 20_266, numRuns: seedCount(100) },
  );
});

test('what cells show is copied only if that is asked for, and completely', async () => {
  const textOfValue = (value: unknown): string | null => (typeof value === 'string' ? `<${value}>` : null);
  const format = { label: 'Format', show: () => ({ text: '<', isCut: true }), textOf: textOfValue };
  const shownAs = COLUMNS.map((name) => ({ name, typeLabel: '', format }));
  const selection = extendTo(selectCell({ row: 0, displayIndex: 0 }), { row: 1, displayIndex: 2 });
  expect(await textOf({ selection, shownAs })).toBe('0\t<name 0>\t<whole 0:2>\n1\t\t<whole 1:2>');
  expect(await textOf({ selection })).toBe('0\tname 0\twhole 0:2\n1\t\twhole 1:2');
});
