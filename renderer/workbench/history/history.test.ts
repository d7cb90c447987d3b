import { beforeEach, expect, test, vi } from 'vitest';

const STEP = {
  id: 1,
  title: 'Edit name in artist',
  sql: null,
  tables: [{ table: 'artist', inserted: 0, updated: 1, deleted: 0 }],
};
const engine = vi.hoisted(() => ({ windowTitle: '' }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onReconnected: () => undefined,
    async call(operation: string) {
      if (operation === 'history.undo') return { ...STEP, windowTitle: engine.windowTitle };
      if (operation === 'history.list') return { steps: [{ ...STEP, windowTitle: 'Window 2', state: 'done' }] };
      return operation === 'history.state' ? { undo: null } : [];
    },
  },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: { windowInfo: async () => ({ windowTitle: 'Window 2' }) } }));

const { newestOwnStep, stepBackOrForth } = await import('./history.ts');
const { useStore } = await import('../../state/store.ts');

beforeEach(() => useStore.setState({ notices: [] }));

test.each([
  ['Window 1', 'Undid: Edit name in artist, 1 row, by Window 1'],
  ['Window 2', 'Undid: Edit name in artist, 1 row'],
])('what was undone is said, and whose it was where that is another window (%s)', async (windowTitle, text) => {
  engine.windowTitle = windowTitle;
  expect(await stepBackOrForth('undo', 'd')).toBe(true);
  expect(useStore.getState().notices.map((notice) => notice.text)).toEqual([text]);
});

test.each([
  [{}, true],
  [{ asksBeforeWriting: true }, false],
])('no older step is offered where what was just done went into a copy of the file: %o', async (state, isOffered) => {
  useStore.setState({ openDatabases: { d: state } as never });
  expect((await newestOwnStep('d')) !== null).toBe(isOffered);
});
