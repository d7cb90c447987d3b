import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { TextFitter } from './text-fit.ts';

/** Every character 8 wide, except those beyond ASCII: 13. */
const monospaced = (text: string): number =>
  [...text].reduce((width, character) => width + (character <= '~' ? 8 : 13), 0);
/** Narrow and wide letters. */
const proportional = (text: string): number =>
  [...text].reduce((width, character) => width + (character === 'i' ? 3 : 9), 0);

test.each([
  ['a monospaced', monospaced],
  ['a proportional', proportional],
])('in %s font the result fits, begins the text and is as long as possible', (_name, measure) => {
  const fitter = new TextFitter(measure);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 30, max: 400 }), (text, width) => {
      const fitted = fitter.fit(text, width);
      expect(fitted.width).toBeLessThanOrEqual(width);
      expect(fitted.width).toBeCloseTo(measure(fitted.text), 5);
      if (measure(text) <= width) expect(fitted.text).toBe(text);
      else {
        expect(fitted.text.endsWith('…')).toBe(true);
        expect(text.startsWith(fitted.text.slice(0, -1))).toBe(true);
      }
    }),
    { seed: 20_265, numRuns: seedCount(100) },
  );
});

test('never cuts a character in half', () => {
  const fitter = new TextFitter(proportional);
  for (let width = 10; width < 100; width++)
    expect(fitter.fit('😀😀😀😀😀😀😀😀😀😀', width).text).not.toMatch(/[\ud800-\udbff]…/);
});

test('a preview ends in … even where there is room', () => {
  expect(new TextFitter(monospaced).fit('abc', 500, true).text).toBe('abc…');
  expect(new TextFitter(proportional).fit('abc', 500, true).text).toBe('abc…');
});

test('remembers what it has measured', () => {
  let measured = 0;
  const fitter = new TextFitter((text) => {
    measured++;
    return proportional(text);
  });
  fitter.fit('a long text that has to be cut', 100);
  const once = measured;
  fitter.fit('a long text that has to be cut', 100);
  expect(measured).toBe(once);
});
