import { describe, expect, test } from 'vitest';
import { shared } from './column-widths.ts';

describe('widths shared', () => {
  test('without room for more a long text is cut', () => expect(shared([100, 700], 300)).toEqual([100, 320]));
  test('with room for all nothing is cut', () => expect(shared([100, 700], 2000)).toEqual([100, 700]));
  test('what is left is shared by what is lacking, and never exceeded', () => {
    const widths = shared([100, 420, 520], 900);
    expect(widths).toEqual([100, 373, 426]);
    expect(widths.reduce((total, width) => total + width)).toBeLessThanOrEqual(900);
  });
});
