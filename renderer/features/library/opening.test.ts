import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError, MAY_BE_ENCRYPTED } from '#shared/protocol/index.ts';

let answerTables!: (objects: readonly unknown[]) => void;
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call: async (operation: string, { table, source }: { table: string; source: string }) => {
      if (operation === 'library.import' && copyFailure) throw copyFailure;
      return operation === 'library.import'
        ? (opened.push(`copy of ${source}`), { entry: { id: 'copy' }, notes: [] })
        : { columns: [1, 2, 3], name: table };
    },
    on: () => () => undefined,
  },
  libraryClient: { onReconnected: () => () => undefined },
  nativeClient: { onReconnected: () => () => undefined },
}));
const opened = vi.hoisted(() => [] as string[]);
const reached = vi.hoisted(() => [] as object[]);
let failure: AppError | null = null;
let copyFailure: AppError | null = null;
vi.mock('../../connection/shell.ts', () => ({
  isDesktop: true,
  shell: {
    contentOf: async () => 'database',
    comparisonCopySource: async () => ({ token: 'again', fileName: 'shop.db' }),
  },
}));
const focusContentFromNowhere = vi.hoisted(() => vi.fn());
vi.mock('../../workbench/commands/focus-content.ts', () => ({ focusContentFromNowhere }));
vi.mock('../../connection/across-restart.ts', () => ({ acrossRestart: (_: unknown, run: () => unknown) => run() }));
vi.mock('../../workbench/jobs.ts', () => ({ runJob: (_: unknown, run: (options: object) => unknown) => run({}) }));
vi.mock('../../state/databases.ts', () => ({
  openDatabase: async () => true,
  notifyFailure: vi.fn(),
  refreshLibrary: vi.fn(),
  reachFile: async (file: object) => (reached.push(file), { file: { database: 'file:l' } }),
  ensureOpen: async (database: string) => {
    if (failure) throw failure;
    opened.push(database);
  },
}));
vi.mock('../../state/schema.ts', () => ({
  knownSchema: () => new Promise((resolve) => (answerTables = (objects) => resolve({ objects }))),
}));
const openTable = vi.hoisted(() => vi.fn());
vi.mock('../../workbench/tabs/table.ts', () => ({ openTable }));
const { importCopy, openFiles, showFromLibrary, tellOfDamage } = await import('./opening.ts');
const { useStore } = await import('../../state/store.ts');

const LARGEST = { kind: 'table', name: 'late', problem: null, rows: { count: 9 } };

beforeEach(() => {
  openTable.mockReset();
  focusContentFromNowhere.mockReset();
  useStore.setState({ tabs: [], activeTabId: null, currentDatabase: 'late' });
});

test('the largest table of a database that is opened comes to the front', async () => {
  const opening = showFromLibrary('late');
  await new Promise((resolve) => setImmediate(resolve));
  answerTables([{ ...LARGEST, name: 'small', rows: { count: 1 } }, LARGEST]);
  await opening;
  expect(openTable).toHaveBeenCalledExactlyOnceWith('late', 'late', { preview: true });
  expect(focusContentFromNowhere).toHaveBeenCalledOnce();
});

test('one that comes late does not take the place of the tab that was opened meanwhile', async () => {
  const opening = showFromLibrary('late');
  await new Promise((resolve) => setImmediate(resolve));
  useStore.setState({ tabs: [{ id: 'b', kind: 'benchmark', database: null }], activeTabId: 'b' });
  answerTables([LARGEST]);
  await opening;
  expect(openTable).not.toHaveBeenCalled();
  expect(focusContentFromNowhere).not.toHaveBeenCalled();
  expect(useStore.getState().activeTabId).toBe('b');
});

describe('a file that is opened without a question', () => {
  const open = async (): Promise<void> => {
    useStore.setState({ notices: [], questions: [], entries: [] });
    opened.length = 0;
    const opening = openFiles([{ token: 't', fileName: 'shop.db', locationId: 'l' }]);
    const isAsked = (): boolean => useStore.getState().questions.length > 0;
    await expect.poll(() => opened.length > 0 || isAsked(), { interval: 1 }).toBe(true);
    for (const question of useStore.getState().questions) if (question.kind === 'confirm') question.answer(true);
    await new Promise((resolve) => setImmediate(resolve));
    answerTables?.([]);
    await opening;
  };
  const fail = (code: 'unavailable' | 'locked') => new AppError({ code, message: 'It is in WAL mode.' });

  test('is opened in place', async () => {
    failure = null;
    await open();
    expect(opened).toEqual(['file:l']);
  });

  test('becomes a copy where that is impossible, and the reason is said', async () => {
    failure = fail('unavailable');
    await open();
    expect(opened).toEqual(['copy of again']);
    expect(useStore.getState().notices).toMatchObject([{ text: expect.stringContaining('WAL mode') as string }]);
  });

  test('is not copied because another program keeps it locked', async () => {
    failure = fail('locked');
    await open();
    expect(opened).toEqual([]);
  });
});

test('a damaged file in place is told of once, with the way to recover it', () => {
  useStore.setState({ notices: [], openDatabases: { 'file:l': { entry: { name: 'shop.db' } } } as never });
  const damage = (extended: number) =>
    new AppError({ code: 'corrupt', message: 'Damaged.', sqlite: { result: 11, extended, offset: -1 } });
  tellOfDamage('file:l', damage(267));
  expect(useStore.getState().notices).toEqual([]);
  for (let time = 0; time < 2; time++) tellOfDamage('file:l', damage(11));
  expect(useStore.getState().notices).toMatchObject([{ topic: 'file:l', action: { label: 'Recover…' } }]);
});

test('a file that may be encrypted is not copied, and can be opened in place instead', async () => {
  copyFailure = new AppError({
    code: 'not-a-database',
    message: 'It looks like random bytes.',
    detail: { [MAY_BE_ENCRYPTED]: true },
  });
  useStore.setState({ questions: [], entries: [] });
  Object.assign(opened, { length: 0 });
  Object.assign(reached, { length: 0 });
  const copying = importCopy({ token: 't', fileName: 'shop.db', locationId: 'l' });
  await expect.poll(() => useStore.getState().questions.length, { interval: 1 }).toBe(1);
  const [question] = useStore.getState().questions;
  expect(question).toMatchObject({ title: '“shop.db” may be encrypted', confirmLabel: 'Open in place…' });
  if (question?.kind === 'confirm') question.answer(true);
  await new Promise((resolve) => setImmediate(resolve));
  answerTables?.([]);
  expect(await copying).toBeNull();
  expect(reached).toEqual([{ token: 't', readOnly: false }]);
  copyFailure = null;
});
