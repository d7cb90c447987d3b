import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { squarify } from './treemap.ts';

const sizes = fc
  .array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 })
  .map((all) => all.sort((a, b) => b - a));
const side = fc.integer({ min: 50, max: 2000 });

it('gives each its share of the area, inside the frame, and nothing lies over anything else', () => {
  fc.assert(
    fc.property(sizes, side, side, (all, width, height) => {
      const rectangles = squarify(all, width, height);
      const total = all.reduce((sum, size) => sum + size, 0);
      const slack = 1e-6 * width * height;
      expect(rectangles).toHaveLength(all.length);
      rectangles.forEach(({ x, y, width: w, height: h }, at) => {
        expect(Math.abs(w * h - (all[at]! / total) * width * height)).toBeLessThan(slack);
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-6);
        expect(x + w).toBeLessThan(width + 1e-6);
        expect(y + h).toBeLessThan(height + 1e-6);
        for (const other of rectangles.slice(0, at)) {
          const across = Math.min(x + w, other.x + other.width) - Math.max(x, other.x);
          const down = Math.min(y + h, other.y + other.height) - Math.max(y, other.y);
          expect(Math.min(across, down)).toBeLessThan(1e-6);
        }
      });
    }),
    { seed: 3, numRuns: seedCount(300) },
  );
});

it('makes squares where it can', () => {
  const ratios = squarify([1, 1, 1, 1], 400, 400).map(({ width, height }) => width / height);
  expect(ratios).toEqual([1, 1, 1, 1]);
});

it('has nothing to show without sizes or room', () => {
  expect([squarify([], 10, 10), squarify([1], 0, 10)]).toEqual([[], []]);
});
