import { expect, test } from 'vitest';
import type { HistoryStep } from '#shared/protocol/index.ts';
import { historyItems, sumOfTables } from './history-items.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();
const DAY_MS = 86_400_000;

const step = (id: number, rest: Partial<HistoryStep> = {}): HistoryStep => ({
  id,
  kind: 'rows',
  atMs: NOON + id * 1000,
  title: `Step ${id}`,
  sql: null,
  windowTitle: 'Window 1',
  run: id,
  tables: [{ table: 't', inserted: 1, updated: 0, deleted: 0 }],
  state: 'done',
  sizeBytes: 10,
  why: null,
  ...rest,
});
const keys = (steps: readonly HistoryStep[], unfolded: readonly string[] = []): string[] =>
  historyItems(steps, new Set(unfolded)).map(({ kind, key }) => (kind === 'day' ? 'day' : key));

test('days head their steps', () => {
  expect(keys([step(3), step(2), step(1, { atMs: NOON - DAY_MS })])).toEqual([
    'day',
    'step 3',
    'step 2',
    'day',
    'step 1',
  ]);
});

test('now lies between what was undone and what is done', () => {
  expect(keys([step(3, { state: 'undone' }), step(2), step(1)])).toEqual(['day', 'step 3', 'now', 'step 2', 'step 1']);
  expect(keys([step(1, { state: 'undone' })])).toEqual(['day', 'step 1', 'now']);
  expect(keys([step(1)])).not.toContain('now');
});

test('a run is one entry until it is unfolded, and never reaches over now', () => {
  const script = [step(5, { run: 9 }), step(4, { run: 9 }), step(3)];
  expect(keys(script)).toEqual(['day', 'run 9 done', 'step 3']);
  expect(keys(script, ['run 9 done'])).toEqual(['day', 'run 9 done', 'step 5', 'step 4', 'step 3']);
  const halfUndone = [step(6, { run: 9, state: 'undone' }), ...script];
  expect(keys(halfUndone)).toEqual(['day', 'step 6', 'now', 'run 9 done', 'step 3']);
});

test('rows of several steps add up by table', () => {
  const other = { table: 'u', inserted: 0, updated: 2, deleted: 1 };
  expect(sumOfTables([step(1), step(2, { tables: [other] }), step(3)])).toEqual([
    { table: 't', inserted: 2, updated: 0, deleted: 0 },
    other,
  ]);
});
