import { expect, test, vi } from 'vitest';
import type { CompareTab } from '../../workbench/tabs/compare.ts';

const { call, heard } = vi.hoisted(() => ({ call: vi.fn(), heard: [] as ((event: { database: string }) => void)[] }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call,
    on: (_event: string, listener: never) => (heard.push(listener), () => undefined),
    onReconnected: () => () => undefined,
  },
}));
vi.mock('../../workbench/text/tab-editor.ts', () => ({
  TabEditor: class {
    state = { doc: { length: 4, sliceString: () => 'SQL;' }, selection: { main: { empty: true } } };
    saveText(): void {}
  },
}));
const runComparison = vi.hoisted(() => vi.fn());
vi.mock('./run-compare.ts', () => ({ runComparison, closeComparison: () => undefined }));
const { CompareSession } = await import('./compare-session.ts');
const { useStore } = await import('../../state/store.ts');

const missing = { kind: 'missing', why: '' } as const;
const COMPARISON = {
  sql: 'SQL;',
  mark: '1',
  wrote: true,
  pairs: [],
  timed: null,
  runs: { wasm: missing, native: missing },
};

test('what the text writes is kept only when that is asked for; then, and after any other commit, the results are old', async () => {
  runComparison.mockResolvedValue(COMPARISON);
  const session = new CompareSession({ id: 't', kind: 'compare', database: 'd' } as unknown as CompareTab);
  const isStale = (): boolean => session.useView.getState().stale;
  await session.compare();
  expect([call.mock.calls.length, isStale()]).toEqual([0, false]);
  call.mockResolvedValueOnce({ rowsChanged: 4990, transactionOpen: false });
  await session.keep();
  expect(call.mock.calls.map(([operation, params]) => [operation, params])).toEqual([
    ['query.run', { database: 'd', sql: 'SQL;' }],
  ]);
  expect(useStore.getState().notices.at(-1)?.text).toContain('4,990 rows changed');
  expect(isStale()).toBe(true);
  await session.compare();
  for (const mark of ['1', '2']) {
    expect(isStale()).toBe(false);
    call.mockResolvedValueOnce({ mark });
    heard.forEach((tell) => tell({ database: 'd' }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(isStale()).toBe(true);
});
