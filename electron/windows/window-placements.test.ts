import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { fitInto, lowestFreeNumber, PLACEMENTS } from './window-placements.ts';

const AREA = { x: 0, y: 25, width: 1920, height: 1055 };

test('a window that lies on the display stays where it was', () => {
  const bounds = { x: 100, y: 100, width: 1280, height: 820 };
  expect(fitInto(bounds, AREA)).toEqual(bounds);
});

test('every window ends up wholly on the display', () => {
  const number = fc.integer({ min: -5000, max: 5000 });
  fc.assert(
    fc.property(fc.record({ x: number, y: number, width: number, height: number }), (bounds) => {
      const { x, y, width, height } = fitInto(bounds, AREA);
      expect(x >= AREA.x && y >= AREA.y && x + width <= AREA.x + AREA.width && y + height <= AREA.y + AREA.height).toBe(
        true,
      );
    }),
    { seed: 7, numRuns: seedCount(100) },
  );
});

test('damaged entries are dropped, damaged bounds are left to the system', () => {
  const good = { windowId: 'a', number: 2, bounds: null, maximized: true, fullScreen: false };
  const stored = [good, null, 3, { windowId: 5 }, { ...good, bounds: { x: 'far' } }];
  expect(v.parse(PLACEMENTS, stored)).toEqual([good, good]);
  expect(v.parse(PLACEMENTS, {})).toEqual([]);
});

test('numbers of closed windows are used again', () => {
  expect(lowestFreeNumber([1, 3])).toBe(2);
  expect(lowestFreeNumber([])).toBe(1);
});
