import { expect, test } from 'vitest';
import type { SourceState } from '#shared/protocol/index.ts';
import { isAnother, sourceLabels } from './source-labels.ts';

const state = (change: Partial<SourceState>): SourceState => ({
  disk: 'unchanged',
  changedHere: false,
  keptMine: false,
  sameAtMs: 0,
  why: null,
  ...change,
});

test.each<[Partial<SourceState>, string, string]>([
  [{}, 'Source unchanged', 'calm'],
  [{ changedHere: true }, 'Changed here', 'note'],
  [{ disk: 'changed' }, 'Changed on disk', 'warn'],
  [{ disk: 'changed', keptMine: true }, 'Changed on disk', 'calm'],
  [{ disk: 'replaced', changedHere: true }, 'Both changed', 'warn'],
  [{ disk: 'missing' }, 'Source missing', 'warn'],
  [{ disk: 'unreadable', why: 'No.' }, 'Source not readable', 'warn'],
  [{ disk: 'unknown', changedHere: null }, 'Source not compared', 'calm'],
])('%j is “%s”', (change, label, tone) => {
  expect(sourceLabels(state(change), 'a.db')).toMatchObject({ label, tone });
});

test('a database of the library alone says so', () => {
  expect(sourceLabels(null, '').label).toBe('Library only');
});

test('only a file that is as it was may be saved over without a question', () => {
  expect(isAnother(state({ changedHere: true }))).toBe(false);
  for (const disk of ['changed', 'replaced', 'missing', 'unknown', 'unreadable'] as const)
    expect(isAnother(state({ disk }))).toBe(true);
});
