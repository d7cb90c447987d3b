import { describe, expect, it } from 'vitest';
import { moveHighlight, suggestFound, type Suggested, type Suggestion } from './suggested.ts';

const item = (id: string): Suggestion => ({ id, parts: [id] });
const offer = (ids: string, highlighted: string | null, isSearching = false): Suggested<Suggestion> => {
  const items = [...ids].map(item);
  return { items, note: '', isSearching, highlighted: items.find(({ id }) => id === highlighted) ?? null };
};
const found = (ids: string, isSearching: boolean) => ({ items: [...ids].map(item), note: '', isSearching });
const shown = ({ items, highlighted }: Suggested<Suggestion>): string =>
  items.map(({ id }) => (id === highlighted?.id ? `[${id}]` : id)).join('');

describe('suggestFound', () => {
  it('keeps the highlight on its value when a search finds it at another place', () => {
    expect(shown(suggestFound(offer('abc', 'b'), found('cxb', true)))).toBe('cx[b]');
    expect(shown(suggestFound(offer('abc', 'b'), found('b', false)))).toBe('[b]');
  });

  it('keeps the highlighted value until a search has ended without it', () => {
    const first = suggestFound(offer('abc', 'b'), found('z', true));
    expect(shown(first)).toBe('[b]z');
    const second = suggestFound(first, found('xy', true));
    expect(shown(second)).toBe('[b]xy');
    expect(shown(suggestFound(second, found('xy', false)))).toBe('xy');
  });

  it('keeps earlier finds until a search finds anything, or ends', () => {
    const searching = suggestFound(offer('abc', null), { items: [], note: 'Searching…', isSearching: true });
    expect(shown(searching)).toBe('abc');
    expect(searching).toMatchObject({ note: 'Searching…', isSearching: true });
    expect(shown(suggestFound(searching, found('', false)))).toBe('');
  });

  it('highlights what it has found again, so that its current form is chosen', () => {
    const again = suggestFound(offer('abc', 'b'), found('ab', true));
    expect(again.highlighted).toBe(again.items[1]);
  });

  it('highlights nothing by itself', () => {
    expect(shown(suggestFound(offer('', null), found('abc', true)))).toBe('abc');
  });
});

describe('moveHighlight', () => {
  it('goes from the text to the first, to the last, and back to the text', () => {
    const offered = offer('abc', null);
    expect(shown(moveHighlight(offered, -1))).toBe('abc');
    expect(shown(moveHighlight(offered, 8))).toBe('[a]bc');
    expect(shown(moveHighlight(offer('abc', 'a'), 8))).toBe('ab[c]');
    expect(shown(moveHighlight(offer('abc', 'c'), 1))).toBe('ab[c]');
    expect(shown(moveHighlight(offer('abc', 'c'), -1))).toBe('a[b]c');
    expect(shown(moveHighlight(offer('abc', 'a'), -1))).toBe('abc');
  });
});
