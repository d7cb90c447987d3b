// The contrast of colors on what they lie on, in both themes, as WCAG 2 reckons it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TINT_OPACITY } from '../grid/paint/theme.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const themes = css
  .split(/^:root/m)
  .slice(1)
  .map((block) => new Map([...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, hex]) => [name!, hex!])));

const channelsOf = (hex: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

/** `above` with that opacity on `below`. */
function blended(above: string, below: string, opacity: number): string {
  const under = channelsOf(below);
  const mixed = channelsOf(above).map((channel, at) => channel * opacity + under[at]! * (1 - opacity));
  return `#${mixed
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function luminance(hex: string): number {
  const [red, green, blue] = channelsOf(hex).map((share) =>
    share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

const SURFACES = ['bg', 'panel', 'raise'];
const TEXTS = ['text', 'dim', 'faint', 'accent-text', 'num', 'null', 'warn', 'error', 'ins', 'del', 'kw', 'str', 'fn'];
/** Texts on a ground of their own. */
const PAIRS: readonly (readonly [string, string])[] = [
  ...['accent', 'warn', 'error', 'ins', 'del'].map(
    (name) => [name === 'accent' ? 'accent-text' : name, `${name}-bg`] as const,
  ),
  ...['text', 'dim', 'accent-text'].flatMap((name) => [[name, 'sel'] as const, [name, 'hover'] as const]),
  ['dim', 'line2'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
];
/** Colors that rules give to cells: `tints` of the grid's theme. */
const TINTS = ['ins', 'kw', 'fn', 'warn', 'error'];
/** Lines and marks of charts: `SERIES` of the benchmark's charts. */
const SERIES = ['accent', 'kw', 'str', 'fn', 'error', 'dim'];

describe.each([
  ['light', themes[0]!],
  ['dark', themes[1]!],
] as const)('%s', (_, tokens) => {
  const color = (name: string): string => tokens.get(name) ?? expect.unreachable(`--${name}`);

  test.each(TEXTS)('--%s can be read on every surface', (text) => {
    expect(Math.min(...SURFACES.map((surface) => contrast(color(text), color(surface))))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(PAIRS)('--%s can be read on --%s', (text, ground) => {
    expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(TINTS)('text can be read in a cell with a tint of --%s, selected or not', (tint) => {
    for (const ground of ['bg', 'raise', 'sel', 'glow'])
      expect(contrast(color('text'), blended(color(tint), color(ground), TINT_OPACITY))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(SERIES)('--%s can be seen in a chart', (series) => {
    expect(contrast(color(series), color('bg'))).toBeGreaterThanOrEqual(3);
  });
});
