import { expect, it } from 'vitest';
import { isSameButProgress, type ImportView } from './import-view.ts';

const progress = (done: number) => ({ phase: 'Reading', done, total: 10, unit: 'bytes' }) as const;

const view: ImportView = {
  fileName: 'a.csv',
  detected: null,
  failure: null,
  options: null,
  near: null,
  target: {} as ImportView['target'],
  detail: null,
  columns: [],
  analysis: { state: 'running', progress: progress(1), startedAtMs: 0 },
  preview: null,
  isOfTables: false,
  previewProblem: null,
  recipe: null,
  running: { startedAtMs: 0, progress: null, stopping: false },
  outcome: null,
  problem: null,
};

it('is the same view while work goes on, and another one when it begins or ends, or something else changes', () => {
  const same: Partial<ImportView>[] = [
    {},
    { running: { startedAtMs: 0, progress: progress(5), stopping: true } },
    { analysis: { state: 'running', progress: progress(2), startedAtMs: 0 } },
  ];
  const others: Partial<ImportView>[] = [
    { running: null },
    { analysis: null },
    { analysis: { state: 'failed', message: 'No.' } },
    { columns: [] },
    { problem: 'No.' },
  ];
  for (const part of same) expect(isSameButProgress(view, { ...view, ...part })).toBe(true);
  for (const part of others) {
    expect(isSameButProgress(view, { ...view, ...part })).toBe(false);
    expect(isSameButProgress({ ...view, ...part }, view)).toBe(false);
  }
});
