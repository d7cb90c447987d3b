import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movedColumn, withHidden } from './arrange-columns.ts';
import { columnWindow, contentX, leftToShow, placeLeft, scrolledPositions } from './column-window.ts';
import { PLAIN_VIEW, displayIndexAt, layoutColumns } from './geometry.ts';
import type { GridView } from './geometry.ts';

const seeded = { seed: 20_263 };
const COUNT = 8;
const natural = (column: number): number => 50 + (column % 5) * 30;
const columns = fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]);
const views: fc.Arbitrary<GridView> = fc.record({
  order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 9]),
  widths: fc.constant({}),
  hidden: fc.subarray([0, 1, 2, 3, 4, 5, 6, 7], { maxLength: 7 }),
  frozen: fc.integer({ min: 0, max: 10 }),
});
const layoutOf = (view: GridView) => layoutColumns(COUNT, view, natural);

test('a moved column is before the one it was dropped on; everything else keeps its order, hidden columns too', () => {
  fc.assert(
    fc.property(views, fc.nat(7), fc.nat(8), (view, fromAny, beforeAny) => {
      const layout = layoutOf(view);
      const from = fromAny % layout.columns.length;
      const before = beforeAny % (layout.columns.length + 1);
      const moved = movedColumn(COUNT, view, layout, from, before);
      const expected = [...layout.columns];
      const [column] = expected.splice(from, 1);
      expected.splice(before > from ? before - 1 : before, 0, column!);
      expect(layoutOf(moved).columns).toEqual(expected);
      const without = (each: GridView) => layoutOf({ ...each, hidden: [column!] }).columns;
      expect(without(moved)).toEqual(without(view));
    }),
    seeded,
  );
});

test('hiding and showing again gives back the order, and frozen columns stay the same ones', () => {
  fc.assert(
    fc.property(views, columns, (view, hidden) => {
      const layout = layoutOf(view);
      const next = withHidden(COUNT, view, layout, hidden);
      if (hidden.length === COUNT) {
        expect(next).toBeNull();
        return;
      }
      const after = layoutOf(next!);
      expect(new Set(after.columns)).toEqual(
        new Set([0, 1, 2, 3, 4, 5, 6, 7].filter((each) => !hidden.includes(each))),
      );
      expect(layoutOf({ ...next!, hidden: view.hidden }).columns).toEqual(layout.columns);
      const frozen = layout.columns.slice(0, layout.frozen).filter((column) => !hidden.includes(column));
      const isFrozen = after.columns.slice(0, after.frozen);
      expect(isFrozen).toEqual(expect.arrayContaining(frozen));
      expect(isFrozen.at(-1)).toBe(frozen.at(-1));
      // Nothing is shown again, so nothing comes between them.
      if (view.hidden.every((column) => hidden.includes(column))) expect(isFrozen).toEqual(frozen);
    }),
    seeded,
  );
});

test('every pixel belongs to the column that is painted there, frozen or scrolled', () => {
  fc.assert(
    fc.property(views, fc.nat(400), fc.integer({ min: 150, max: 900 }), fc.nat(899), (view, left, width, pixel) => {
      const layout = layoutOf(view);
      const window = columnWindow(layout, Math.min(left, Math.max(0, layout.width - width)), width);
      const x = pixel % width;
      const place = displayIndexAt(layout, contentX(window, x));
      const { first, last } = scrolledPositions(window);
      const covering = layout.columns.flatMap((_, each) => {
        if (each >= window.frozen && (each < first || each > last)) return [];
        const start = placeLeft(window, each);
        const end = start + layout.edges[each + 1]! - layout.edges[each]!;
        const isThere = start <= x && x < end && (each < window.frozen || x >= window.frozenWidth);
        return isThere ? [each] : [];
      });
      expect(covering).toEqual(place === null ? [] : [place]);
      expect(contentX(window, x)).toBeGreaterThanOrEqual(0);
    }),
    seeded,
  );
});

test('a column that is scrolled to is beside the frozen ones, whole if there is room', () => {
  fc.assert(
    fc.property(views, fc.nat(400), fc.integer({ min: 150, max: 900 }), fc.nat(7), (view, left, width, any) => {
      const layout = layoutOf(view);
      const place = any % layout.columns.length;
      const shown = leftToShow(columnWindow(layout, left, width), place);
      const window = columnWindow(layout, shown, width);
      if (place < window.frozen) {
        expect(shown).toBe(left);
        return;
      }
      const start = placeLeft(window, place);
      const end = start + layout.edges[place + 1]! - layout.edges[place]!;
      expect(start).toBeGreaterThanOrEqual(window.frozenWidth);
      if (end - start <= width - window.frozenWidth) expect(end).toBeLessThanOrEqual(width);
    }),
    seeded,
  );
});

test('scrolling sideways shows the whole column if it fits, as little as needed', () => {
  const layout = layoutColumns(5, { ...PLAIN_VIEW, widths: { 2: 900 } }, () => 100);
  const show = (place: number, left: number, width: number, frozen = 0): number =>
    leftToShow(columnWindow({ ...layout, frozen }, left, width), place);
  expect(show(0, 50, 300)).toBe(0);
  expect(show(1, 0, 150)).toBe(50);
  expect(show(2, 0, 300)).toBe(200);
  expect(show(0, 0, 300)).toBe(0);
  expect(show(1, 80, 300, 1)).toBe(0);
  expect(show(0, 80, 300, 1)).toBe(80);
});

test('frozen columns leave room for the others', () => {
  const layout = layoutColumns(5, { ...PLAIN_VIEW, frozen: 3 }, () => 100);
  expect([600, 420, 419, 320, 200, 0].map((width) => columnWindow(layout, 0, width).frozen)).toEqual([
    3, 3, 2, 2, 0, 0,
  ]);
});
