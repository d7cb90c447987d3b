import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { fuzzyMatch } from './palette-items.ts';

const best = (typed: string, names: readonly string[]): string | undefined =>
  names
    .map((name) => ({ name, match: fuzzyMatch(typed, name) }))
    .filter(({ match }) => match !== null)
    .sort((a, b) => b.match!.score - a.match!.score)[0]?.name;

test('letters match in order only', () => {
  expect(fuzzyMatch('tka', 'Track')).toBeNull();
  expect(fuzzyMatch('tk', 'Track')?.places).toEqual([0, 4]);
});

test.each([
  ['inv', ['IFK_InvoiceLineTrackId', 'Invoice', 'relation view'], 'Invoice'],
  ['il', ['Invoice', 'InvoiceLine', 'Utilities'], 'InvoiceLine'],
  ['pt', ['Playlist', 'PlaylistTrack', 'Optional'], 'PlaylistTrack'],
  ['newtab', ['Next Tab', 'New SQL Tab', 'Unsewn table'], 'New SQL Tab'],
  ['track', ['track_with_album', 'Track', 'PlaylistTrack'], 'Track'],
  ['export', ['Export as SQLite File…', 'Expert opinion order table'], 'Export as SQLite File…'],
])('%s finds the right one', (typed, names, expected) => expect(best(typed, names)).toBe(expected));

test('places are the typed letters, rising', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
      (typed, name) => {
        const match = fuzzyMatch(typed, name);
        const letters = typed.replace(/\s+/g, '').toLowerCase();
        if (!match) return;
        expect(match.places.map((place) => name[place]!.toLowerCase()).join('')).toBe(letters);
        expect([...match.places].sort((a, b) => a - b)).toEqual(match.places);
      },
    ),
    { seed: 20_261, numRuns: seedCount(100) },
  );
});

test('a name that holds the letters in order is always found', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,6}$/), fc.stringMatching(/^[A-Z_]{0,3}$/), (typed, filler) => {
      expect(fuzzyMatch(typed, [...typed].join(filler))).not.toBeNull();
    }),
    { seed: 20_261, numRuns: seedCount(100) },
  );
});
