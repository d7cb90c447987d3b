import { describe, expect, it } from 'vitest';
import { importCircles, LAYERS, layerViolations } from './layers.ts';

const file = (path: string, ...imports: string[]) => ({ path, imports });

describe('the order of rooms', () => {
  it('lets a file import from its own room and from below', () => {
    expect(
      layerViolations([
        file('worker/sessions/scheduler.ts', './clock.ts', '../engines/engine.ts', '../../shared/wait.ts'),
        file('worker/worker.ts', './operations/all.ts', './window-server.ts'),
        file(
          'renderer/features/query/query-tab.tsx',
          './query-run.ts',
          '../../grid/grid.tsx',
          '../../workbench/jobs.ts',
        ),
      ]),
    ).toEqual([]);
  });

  it('names an import that goes upward', () => {
    expect(layerViolations([file('worker/engines/wasm/statement.ts', '../../sessions/scheduler.ts')])).toEqual([
      'worker/engines/wasm/statement.ts imports worker/sessions/scheduler.ts, but worker/engines must not know worker/sessions.',
    ]);
    expect(layerViolations([file('renderer/state/store.ts', '../workbench/jobs.ts')])).toHaveLength(1);
    expect(layerViolations([file('worker/sql/quote.ts', '../worker.ts')])).toHaveLength(1);
  });

  it('keeps rooms of one row apart, features too', () => {
    expect(layerViolations([file('renderer/grid/grid.tsx', '../editor/sql-editor.tsx')])).toHaveLength(1);
    expect(layerViolations([file('renderer/features/query/query-tab.tsx', '../history/history-tab.tsx')])).toEqual([
      'renderer/features/query/query-tab.tsx imports renderer/features/history/history-tab.tsx, but renderer/features/query must not know renderer/features/history.',
    ]);
  });

  it('wants a place for every room', () => {
    expect(layerViolations([file('worker/attic/old.ts')])).toEqual([
      'worker/attic/old.ts is in a room that has no place in the order of worker/.',
    ]);
  });

  it('has each room once', () => {
    for (const rows of Object.values(LAYERS)) expect(new Set(rows.flat()).size).toBe(rows.flat().length);
  });
});

it('names circles', () => {
  const [content, kind] = [file('renderer/a/tab.tsx', './kind.ts'), file('renderer/a/kind.ts', './tab.tsx', '../b.ts')];
  expect(importCircles([file('renderer/b.ts'), content, kind])).toEqual([
    'renderer/a/tab.tsx imports renderer/a/kind.ts imports renderer/a/tab.tsx: a circle.',
  ]);
  expect(importCircles([file('renderer/b.ts'), file('renderer/a/tab.tsx', '../b.ts'), kind])).toEqual([]);
});
