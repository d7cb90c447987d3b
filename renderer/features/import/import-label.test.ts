import { expect, it } from 'vitest';
import { firstView } from './first-view.ts';
import { importLabel } from './import-label.ts';
import type { ImportView, Preview } from './import-view.ts';

const { target } = firstView({ fileName: 'a.csv', into: { database: 'd', table: 't' } } as Parameters<
  typeof firstView
>[0]);
const done = (records: number) => ({ state: 'done', analysis: { records } }) as ImportView['analysis'];
const tried = (records: number, counts: Partial<Counts>): Preview => ({
  preview: {
    rows: [],
    records,
    problems: [],
    notes: [],
    changes: { added: 0, changed: 0, equal: 0, skipped: 0, ...counts },
  },
  from: [],
});
type Counts = NonNullable<Preview['preview']['changes']>;
const upsert = { ...target, mode: 'upsert' } as const;

it('says what an import by key does, once all rows have been tried', () => {
  const label = (preview: Preview | null): string => importLabel({ analysis: done(55), target: upsert, preview });
  expect(label(tried(55, { added: 5, changed: 50 }))).toBe('Add 5, update 50');
  expect(label(tried(55, { changed: 1200, equal: 3 }))).toBe('Update 1,200');
  expect(label(tried(55, { added: 5, skipped: 50 }))).toBe('Add 5, skip 50');
  expect(label(tried(55, { equal: 55 }))).toBe('Import 55 rows');
  expect(label(tried(54, { added: 54 }))).toBe('Import 55 rows');
  expect(label(null)).toBe('Import 55 rows');
});

it('counts the rows of other imports', () => {
  const preview = tried(2, { added: 2 });
  expect(importLabel({ analysis: done(2), target, preview })).toBe('Import 2 rows');
  expect(importLabel({ analysis: null, target: upsert, preview })).toBe('Import');
  expect(importLabel({ analysis: done(0), target: { ...target, kind: 'new-table' }, preview: null })).toBe(
    'Create Empty Table',
  );
});

it('an import by key overwrites existing rows unless the user chooses something else', () => {
  expect(target.existing).toBe('overwrite');
});
