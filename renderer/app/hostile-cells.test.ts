// Values made to harm who looks at them, in the grid: painted, said to a screen reader, and copied.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { isRawText, storageClassOf } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { mirrorOf } from '../grid/aria/aria-snapshot.ts';
import type { GridController } from '../grid/grid-controller.ts';
import type { GridSource } from '../grid/grid-source.ts';
import { copyCells, quoted } from '../grid/input/clipboard.ts';
import { extendTo, FIRST_CELL, selectCell } from '../grid/input/selection.ts';
import { parseBlock } from '../grid/input/text-block.ts';
import { valueText } from '../grid/input/value-text.ts';
import { displayCell } from '../grid/paint/cell-display.ts';
import { paintValue } from '../grid/paint/cell-painter.ts';
import type { Brush } from '../grid/paint/frame.ts';
import { TextFitter } from '../grid/paint/text-fit.ts';
import type { GridTheme } from '../grid/paint/theme.ts';
import { expectHarmless, seeded, text, value } from './hostile-values.test-suite.ts';

function packed(...values: readonly Value[]): PackedRowsReader {
  const writer = new PackedRowsWriter(values.length);
  for (const each of values) {
    if (each === null) writer.null();
    else if (typeof each === 'string') writer.text(each);
    else if (typeof each === 'bigint') writer.bigInteger(each);
    else if (typeof each === 'number') storageClassOf(each) === 'integer' ? writer.integer(each) : writer.real(each);
    else if (each instanceof Uint8Array) writer.blob(each);
    else if (isRawText(each)) writer.textBytes(each.textBytes);
    else writer.real(each.real);
  }
  return new PackedRowsReader(writer.finish());
}

const measure = (each: string): number => each.length * 8;

test('the canvas paints nothing hidden, and nothing beyond the cell', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 40, max: 900 }), (each, width) => {
      const rows = packed(each);
      const painted: string[] = [];
      let end = 0;
      const context = {
        fillText: (part: string, x: number) => {
          painted.push(part);
          end = Math.max(end, x + measure(part));
        },
        save: () => undefined, restore: () => undefined, beginPath: () => undefined, rect: () => undefined, clip: () => undefined, fillRect: () => undefined,
      }; // prettier-ignore
      const fitter = new TextFitter(measure);
      const brush = { context, theme: {} as GridTheme, fitters: { cell: fitter, header: fitter, label: fitter } };
      paintValue(brush as unknown as Brush, displayCell(rows, 0, 0), 0, 0, width, true);
      expectHarmless(painted.join(''), 401);
      expect(end).toBeLessThanOrEqual(Math.max(width, 20));
    }),
    seeded,
  );
});

test('the ARIA mirror says nothing hidden, of cells and of headers', () => {
  fc.assert(
    fc.property(value, text, (each, name) => {
      const format = { label: name, show: () => ({ text: name, isCut: false }), textOf: () => name };
      const columns = [{ name, typeLabel: name, defaultText: name, format }];
      const rows = packed(each);
      const grid = {
        visible: { rows: { first: 0, last: 0 }, displayColumns: { first: 0, last: 0 } },
        bounds: { rows: 1, displayColumns: 1 },
        isLaidOut: true,
        gutter: 40,
        selection: FIRST_CELL,
        layout: { columns: [0] },
        source: { columns, hiddenColumns: 0 },
        shownColumns: columns,
        decorations: { sort: [], draft: null, differenceAt: () => null, tintOf: () => null },
        draftPosition: -1,
        row: () => ({ rows, index: 0 }),
        boxOf: () => ({ x: 40, y: 26, width: 100 }),
        viewportSize: { width: 500, height: 300 },
      };
      const snapshot = mirrorOf(grid as unknown as GridController);
      expectHarmless(snapshot.rows[0]!.cells[0]!.text, 401);
      expectHarmless(snapshot.headers[0]!.label, 3300);
    }),
    seeded,
  );
});

test('what is copied is what is stored, in a cell, in a block, with headers; and a block can be pasted again', async () => {
  await fc.assert(
    fc.asyncProperty(value, value, text, async (one, other, name) => {
      const rows = packed(one, other).rows;
      const extent = { rows: 1, exact: true };
      const whole = [one, other];
      const source = {
        columns: [{ name, typeLabel: '' }, { name: 'other', typeLabel: '' }],
        hiddenColumns: 0,
        extent,
        read: (start: number) => Promise.resolve({ rows, start, exactPosition: true, extent }),
        readWhole: ({ column }: { column: number }) => Promise.resolve(whole[column]!),
      } as unknown as GridSource; // prettier-ignore
      const bounds = { rows: 1, displayColumns: 2 };
      const both = extendTo(selectCell({ row: 0, displayIndex: 0 }), { row: 0, displayIndex: 1 });
      const request = { source, bounds, columns: [0, 1], seen: new Map() };
      const reader = packed(one, other);
      const stored = whole.map((each, column) =>
        valueText(reader.isPreview(0, column) ? each : reader.value(0, column)),
      );
      expect(await copyCells({ ...request, selection: FIRST_CELL, withHeaders: false })).toMatchObject({
        text: stored[0],
      });
      const block = await copyCells({ ...request, selection: both, withHeaders: true });
      expect(block).toMatchObject({
        kind: 'copied',
        text: `${quoted(name)}\tother\n${quoted(stored[0]!)}\t${quoted(stored[1]!)}`,
      });
      expect(parseBlock(block.kind === 'copied' ? block.text : '').slice(0, 2)).toEqual([[name, 'other'], stored]);
    }),
    seeded,
  );
});
