import { describe, expect, it } from 'vitest';
import { keyName, OwnEdits, sameValue } from './own-edits.ts';

describe('OwnEdits', () => {
  it('knows what was stored until the grid has heard of it', () => {
    const edits = new OwnEdits();
    edits.note([7], 1, 'old', 'new');
    expect(edits.present([7], 1, 'old')).toBe('new');
    expect(edits.present([7], 2, 'old')).toBe('old');
    expect(edits.present(['7'], 1, 'old')).toBe('old');
    expect(edits.present([7], 1, 'of somebody else')).toBe('of somebody else');
    expect([edits.columnsOf(keyName([7])), edits.columnsOf(keyName(['7']))]).toEqual([[1], []]);
    expect(edits.isEmpty).toBe(false);
    edits.forget();
    expect(edits.isEmpty).toBe(true);
    expect(edits.present([7], 1, 'old')).toBe('old');
  });

  it('tells values of different storage classes apart', () => {
    expect(sameValue({ real: 2 }, { real: 2 })).toBe(true);
    expect(sameValue({ real: 2 }, 2)).toBe(false);
    expect(sameValue('2', 2)).toBe(false);
    expect(sameValue(null, '')).toBe(false);
    expect(sameValue(new Uint8Array([1, 2]), new Uint8Array([1, 2]))).toBe(true);
    expect(sameValue(-0, 0)).toBe(false);
    expect(sameValue(2n ** 60n, 2n ** 60n)).toBe(true);
  });
});
