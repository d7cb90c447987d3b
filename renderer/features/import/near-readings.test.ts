import { describe, expect, it } from 'vitest';
import type { DetectedSource, FileReading, ImportOptions } from '#shared/protocol/index.ts';
import { chosenWith, nearAfter, readingAt } from './near-readings.ts';

const reading = (options: Partial<ImportOptions>): FileReading => ({
  title: '',
  reason: '',
  options,
  columns: [],
  columnCount: 0,
  rows: [],
});
const READINGS = [
  reading({ hasHeader: true, encoding: 'windows-1252' }),
  reading({ hasHeader: false }),
  reading({ encoding: 'windows-1250' }),
];
const OPTIONS = { hasHeader: true, encoding: 'windows-1252', delimiter: ',' } as ImportOptions;
const detected = (options: Partial<ImportOptions>, readings: readonly FileReading[] = []): DetectedSource =>
  ({ options: { ...OPTIONS, ...options }, readings }) as unknown as DetectedSource;

describe('readings that are near', () => {
  const near = nearAfter(null, { comment: '%' }, detected({}, READINGS))!;

  it('stay when one of them is chosen, and the detected one is no choice', () => {
    const other = chosenWith(near, 1, { comment: '%' });
    expect(other).toEqual({ comment: '%', hasHeader: false });
    expect(nearAfter(near, other, detected(other))).toBe(near);
    const last = chosenWith(near, 2, other);
    expect(last).toEqual({ comment: '%', encoding: 'windows-1250' });
    expect(chosenWith(near, 0, last)).toEqual({ comment: '%' });
  });

  it('tell which of them is used', () => {
    const used = (change: Partial<ImportOptions>): number => readingAt(near, { ...OPTIONS, ...change });
    expect([{}, { hasHeader: false }, { encoding: 'windows-1250' }].map(used)).toEqual([0, 1, 2]);
    expect(used({ encoding: 'utf-8' })).toBe(-1);
  });

  it('are others, or none, once anything else is chosen', () => {
    expect(nearAfter(near, { comment: '' }, detected({ comment: '' }))).toBeNull();
    expect(nearAfter(near, { comment: '%', encoding: 'utf-8' }, detected({ encoding: 'utf-8' }))).toBeNull();
    const others = [READINGS[0]!, READINGS[2]!];
    expect(nearAfter(near, {}, detected({}, others))).toEqual({ readings: others, given: {} });
    expect(nearAfter(null, {}, detected({}))).toBeNull();
  });
});
