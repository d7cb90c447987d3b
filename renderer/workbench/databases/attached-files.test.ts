// Which files are attached, remembered, and attached again, with the engine and main replaced.
import { beforeEach, expect, test, vi } from 'vitest';
import { AppError, engineOf } from '#shared/protocol/index.ts';

const { call, openInPlace, chooseFiles, forgetInPlace, stored } = vi.hoisted(() => ({
  call: vi.fn(),
  openInPlace: vi.fn(),
  chooseFiles: vi.fn(),
  forgetInPlace: vi.fn(),
  stored: new Map<string, string>(),
}));
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
});
vi.mock('../../connection/database-client.ts', () => ({
  client: { call, on: () => () => undefined, onReconnected: () => () => undefined },
  openInPlace,
  isInNativeEngine: (database: string) => engineOf(database) === 'native' && database !== EXTENDED,
}));
vi.mock('../../connection/shell.ts', () => ({ isDesktop: true, shell: { openInPlace, chooseFiles, forgetInPlace } }));
vi.mock('../../state/databases.ts', async () => {
  const { useStore } = await import('../../state/store.ts');
  return {
    ensureOpen: async () => undefined,
    notifyFailure: (thrown: unknown) =>
      useStore.setState(({ notices }) => ({ notices: [...notices, { text: (thrown as AppError).message } as never] })),
  };
});
vi.mock('../../state/schema.ts', () => ({ readSchema: async () => undefined }));
const { attachDatabase, attachedTo, canAttachTo, detachDatabase, startAttachedFiles } =
  await import('./attached-files.ts');
const { useStore } = await import('../../state/store.ts');

const [SHOP, OLD] = ['file:1', 'file:2'];
/** In a process of its own. */
const EXTENDED = 'file:3';
const FILE = { database: OLD, fileName: 'old.db', displayPath: '~/old.db', locationId: '2' };
const said = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);
const calls = (): readonly unknown[] =>
  call.mock.calls
    .filter(([operation]) => operation === 'database.attach' || operation === 'database.detach')
    .map(([operation, { name }]) => [operation, name as string]);
const open = (): void => useStore.setState({ openDatabases: { [SHOP!]: {} as never } });

beforeEach(() => {
  useStore.setState({ notices: [], questions: [], openDatabases: {} });
  call.mockReset().mockResolvedValue(null);
  openInPlace.mockReset().mockResolvedValue({ file: FILE, sizeBytes: 1 });
  forgetInPlace.mockReset().mockResolvedValue(undefined);
  chooseFiles.mockReset().mockResolvedValue([{ token: 't', fileName: 'old.db' }]);
});
startAttachedFiles();

async function answer(name: string | null): Promise<void> {
  const attaching = attachDatabase(SHOP!);
  await expect.poll(() => useStore.getState().questions.length).toBe(1);
  const [question] = useStore.getState().questions;
  if (question?.kind === 'prompt') question.answer(name);
  await attaching;
}

test('a file is remembered, attached when the database is opened, and forgotten when it is detached', async () => {
  open();
  await answer(' archive ');
  expect(calls()).toEqual([['database.attach', 'archive']]);
  useStore.setState({ openDatabases: {} });
  call.mockClear();
  open();
  await expect.poll(calls).toEqual([['database.attach', 'archive']]);
  await detachDatabase(SHOP!, { name: 'archive', file: OLD!, fileName: 'old.db', why: null });
  useStore.setState({ openDatabases: {} });
  call.mockClear();
  open();
  expect(calls()).toEqual([]);
});

test('a file that is gone is noted, and no error', async () => {
  open();
  await answer('archive');
  useStore.setState({ openDatabases: {} });
  openInPlace.mockResolvedValue({ why: 'The file is no longer there.', missing: true });
  open();
  await expect.poll(() => attachedTo(SHOP!)).toMatchObject([{ name: 'archive', why: 'The file is no longer there.' }]);
  expect(said()).toEqual([]);
  await detachDatabase(SHOP!, attachedTo(SHOP!)[0]!);
  expect(attachedTo(SHOP!)).toEqual([]);
});

test('the database itself, a file that is attached already, and an encrypted one are refused', async () => {
  open();
  openInPlace.mockResolvedValueOnce({ file: { ...FILE, database: SHOP! }, sizeBytes: 1 });
  await attachDatabase(SHOP!);
  useStore.setState({
    openDatabases: { [SHOP!]: { attached: [{ name: 'x', file: OLD!, fileName: 'old.db', why: null }] } as never },
  });
  await attachDatabase(SHOP!);
  openInPlace.mockResolvedValueOnce({ locked: { fileName: 'old.db', why: null, canRemember: false } });
  await attachDatabase(SHOP!);
  expect(said()).toEqual([
    expect.stringContaining('the database itself'),
    expect.stringContaining('x.table'),
    expect.stringContaining('Encrypted files cannot be attached'),
  ]);
  expect(calls()).toEqual([]);
});

test('a file that is no database is refused before its name is asked for', async () => {
  open();
  call.mockRejectedValueOnce(new AppError({ code: 'not-a-database', message: 'It is a picture.' }));
  await attachDatabase(SHOP!);
  expect(said()).toEqual(['“old.db” was not attached. It is a picture.']);
  expect(useStore.getState().questions).toEqual([]);
  expect(forgetInPlace).toHaveBeenCalledWith('2');
});

test('a file whose name is not given is let go, and only files in place without a password have others attached', async () => {
  open();
  await answer(null);
  expect(forgetInPlace).toHaveBeenCalledWith('2');
  expect(calls()).toEqual([]);
  expect([SHOP!, 'file:encrypted-1', 'library-1', EXTENDED].map(canAttachTo)).toEqual([true, false, false, false]);
});
