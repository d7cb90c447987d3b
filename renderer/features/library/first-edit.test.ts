import { beforeEach, expect, test, vi } from 'vitest';
import type { TextTab } from '../../state/slices/tabs.ts';

const setup = vi.hoisted(() => ({ openFiles: 'first-edit', calls: [] as unknown[], copies: 0 }));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call: async (op: string, params: object) => void setup.calls.push({ op, ...params }) },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: { comparisonCopySource: async () => ({ token: 't' }) } }));
vi.mock('../../state/settings.ts', () => ({ settingNow: () => setup.openFiles, useSetting: () => setup.openFiles }));
vi.mock('../../state/databases.ts', () => ({
  closeDatabase: async (database: string) => void setup.calls.push({ closed: database }),
  ensureOpen: async () => undefined,
  notifyFailure: vi.fn(),
  refreshLibrary: vi.fn(),
}));
vi.mock('./opening.ts', () => ({
  importCopy: async () => ({ id: `copy-${++setup.copies}` }),
  copyOfTemporary: async (database: string, name: string) => {
    setup.calls.push({ copied: database, name });
    return `copy-${++setup.copies}`;
  },
  showFromLibrary: async (database: string) => void setup.calls.push({ shown: database }),
}));
const { askAtNextEdit, askBeforeFirstEdit } = await import('./first-edit.ts');
const { encryptedId, locationIdOf } = await import('#shared/protocol/index.ts');
const { updateTab, useStore } = await import('../../state/store.ts');
const { beforeStateIsSaved } = await import('../../state/state-saving.ts');

let made = 0;
let file: string;
const TAB = { id: 't', kind: 'table', table: 'item', view: { topRow: 7 } };

beforeEach(() => {
  // What was decided is kept by file.
  file = `file:${++made}`;
  setup.openFiles = 'first-edit';
  setup.calls = [];
  const entry = { id: file, name: 'shop.db' };
  useStore.setState({
    questions: [],
    notices: [],
    entries: [entry] as never,
    openDatabases: { [file]: { entry } } as never,
    tabs: [{ ...TAB, database: file }] as never,
    activeTabId: 't',
  });
});

async function answer(id: string | null): Promise<void> {
  await expect.poll(() => useStore.getState().questions.length, { interval: 1 }).toBe(1);
  const [question] = useStore.getState().questions;
  if (question?.kind !== 'choice') throw new Error('A choice was expected.');
  expect(question.choices.some(({ variant }) => variant === 'primary')).toBe(false);
  question.answer(id);
}

test.each(['first-edit', 'in-place', 'ask'])(
  'an edit of what was unpacked goes into a copy, and nothing is remembered, if files open as “%s”',
  async (openFiles) => {
    setup.openFiles = openFiles;
    const unpacked = `file:unpacked-${crypto.randomUUID()}`;
    const entry = { id: unpacked, name: 'shop.db from a.zip' };
    useStore.setState({ openDatabases: { [unpacked]: { entry } } as never });
    const asked = askBeforeFirstEdit(unpacked, 'edit.apply');
    await answer('copy');
    expect(await asked).toMatchObject({ database: `copy-${setup.copies}` });
    expect(setup.calls).toEqual([{ copied: unpacked, name: 'shop.db from a.zip' }]);
  },
);

test('what is in the file itself is remembered, and requests at the same time are one question', async () => {
  const asked = [askBeforeFirstEdit(file, 'edit.apply'), askBeforeFirstEdit(file, 'query.run')];
  await answer('file');
  expect(await Promise.all(asked)).toEqual([Infinity, Infinity]);
  expect(setup.calls).toEqual([{ op: 'library.keepEditing', database: file, editing: 'file' }]);
});

test.each([
  ['remembered', 'first-edit', 'file'],
  ['the way of opening', 'in-place', undefined],
  ['the answer when it was opened', 'ask', undefined],
])('nothing is asked where it is known: %s', async (_name, openFiles, editing) => {
  setup.openFiles = openFiles;
  useStore.setState({ entries: [{ id: file, editing }] as never });
  expect(await askBeforeFirstEdit(file, 'edit.apply')).toBe(Infinity);
  expect(useStore.getState().questions).toEqual([]);
});

test('Cancel changes nothing, and the next edit asks again', async () => {
  for (let time = 0; time < 2; time++) {
    const asked = askBeforeFirstEdit(file, 'edit.apply');
    await answer(null);
    expect(await asked).toBeNull();
  }
  expect(setup.calls).toEqual([]);
});

test.each(['edit.apply', 'cell.replaceRange'])(
  '%s is made in the copy, which then shows the same place; one that fails there is made there again',
  async (op) => {
    const asked = askBeforeFirstEdit(file, op);
    await answer('copy');
    const elsewhere = (await asked) as { database: string; arrived(): void };
    expect(useStore.getState().tabs).toMatchObject([{ database: file }]);
    useStore.setState(({ openDatabases }) => ({
      openDatabases: { ...openDatabases, [elsewhere.database]: { entry: { name: 'shop' } } as never },
    }));
    // It was rejected there, by a constraint for example.
    expect(await askBeforeFirstEdit(file, 'edit.apply')).toMatchObject({ database: elsewhere.database });
    elsewhere.arrived();
    expect(useStore.getState().tabs).toMatchObject([{ ...TAB, id: expect.any(String), database: elsewhere.database }]);
    expect(setup.calls).toEqual([{ op: 'library.keepEditing', database: file, editing: 'copy' }, { closed: file }]);
  },
);

test('other writes are not made in the copy, and that is said', async () => {
  useStore.setState({ tabs: [{ id: 't', kind: 'query', sql: 'DELETE FROM item', database: file }] as never });
  const asked = askBeforeFirstEdit(file, 'query.run').catch((error: unknown) => error);
  await answer('copy');
  expect(await asked).toMatchObject({ code: 'refused' });
  const { tabs, notices } = useStore.getState();
  expect(notices).toMatchObject([{ text: expect.stringContaining('repeat the edit there') as string }]);
  expect(tabs).toMatchObject([{ database: file }, { kind: 'query', sql: 'DELETE FROM item' }]);
});

test('a copy has no steps of the file to undo, and that is said', async () => {
  const asked = askBeforeFirstEdit(file, 'history.undo').catch((error: unknown) => error);
  await answer('copy');
  expect(await asked).toMatchObject({ message: expect.stringContaining('none to undo or redo') as string });
});

test('the text of a tab goes to the copy as it is by then: it reaches the tab only after a pause in typing', async () => {
  const design = { id: 't', kind: 'design', object: 'table', title: 'New table 1', name: null, database: file };
  useStore.setState({ tabs: [{ ...design, sql: 'CREATE TABLE new_table (id)' }] as never });
  const typed = beforeStateIsSaved(() => updateTab<TextTab>('t', { sql: 'CREATE TABLE thing (id)' }));
  const asked = askBeforeFirstEdit(file, 'schema.change').catch((error: unknown) => error);
  await answer('copy');
  expect(await asked).toMatchObject({ code: 'refused' });
  typed();
  const { tabs } = useStore.getState();
  expect(tabs).toMatchObject([
    { kind: 'design', sql: 'CREATE TABLE thing (id)', database: expect.stringContaining('copy') as string },
  ]);
});

test('an import stays in front, and learns where it goes from then on', async () => {
  useStore.setState({ tabs: [{ id: 't', kind: 'import', database: null }] as never });
  const asked = askBeforeFirstEdit(file, 'import.run').catch((error: unknown) => error);
  await answer('copy');
  expect(await asked).toMatchObject({
    code: 'refused',
    detail: { editsGoTo: expect.stringContaining('copy') as string },
  });
  expect(setup.calls).not.toContainEqual(expect.objectContaining({ shown: expect.anything() as unknown }));
});

test('what is typed in a cell waits in the cell of a copy that had been made before', async () => {
  const old = { id: 'old', name: 'shop', lastUsedAtMs: 1, source: { locationId: locationIdOf(file) } };
  useStore.setState(({ entries }) => ({ entries: [...entries!, old] as never }));
  const change = { kind: 'update', key: [7], set: { name: 'ox' }, base: { name: 'cow' } };
  const asked = askBeforeFirstEdit(file, 'edit.apply', { table: 'item', changes: [change] }).catch(
    (error: unknown) => error,
  );
  await answer('known');
  expect(await asked).toMatchObject({ code: 'refused' });
  const { tabs, revealedRow } = useStore.getState();
  expect(tabs).toMatchObject([{ database: 'old', table: 'item' }]);
  expect(revealedRow).toMatchObject({ database: 'old', table: 'item', key: [7], column: 'name', typed: 'ox' });
});

test('a form goes to the copy with its row, once for all fields that are stored together', async () => {
  const form = { id: 't', kind: 'form', table: 'item', key: [7], database: file };
  useStore.setState({ tabs: [form] as never });
  const asked = askBeforeFirstEdit(file, 'edit.apply');
  await answer('copy');
  const elsewhere = (await asked) as { database: string; arrived(): void };
  elsewhere.arrived();
  elsewhere.arrived();
  const { tabs, activeTabId } = useStore.getState();
  expect(tabs).toMatchObject([{ ...form, id: activeTabId, database: elsewhere.database }]);
});

test('a copy that has no edit yet is forgotten when the user wants to be asked again', async () => {
  const asked = askBeforeFirstEdit(file, 'edit.apply');
  await answer('copy');
  const { database: copy } = (await asked) as { database: string };
  useStore.setState(({ openDatabases }) => ({ openDatabases: { ...openDatabases, [copy]: {} as never } }));
  setup.calls = [];
  await askAtNextEdit(file);
  expect(setup.calls).toEqual([
    { op: 'database.allowWriting', database: file, untilMs: 0 },
    { op: 'library.keepEditing', database: file, editing: null },
  ]);
  const again = askBeforeFirstEdit(file, 'edit.apply');
  await answer(null);
  expect(await again).toBeNull();
});

test.each(['table', 'form'])('a %s in which something else is typed stays open beside the copy', async (kind) => {
  useStore.setState({ tabs: [{ ...TAB, kind, database: file }] as never });
  useStore.getState().setTabStatus('t', { unsavedValue: true });
  const asked = askBeforeFirstEdit(file, 'cell.load').catch((error: unknown) => error);
  await answer('copy');
  expect(await asked).toMatchObject({ code: 'refused' });
  const { tabs } = useStore.getState();
  expect(tabs).toMatchObject([
    { id: 't', database: file },
    { kind, database: expect.stringContaining('copy') as string },
  ]);
  useStore.getState().setTabStatus('t', null);
});

test('the first edit of an encrypted file offers no library copy, which would not be encrypted', async () => {
  file = encryptedId(String(++made));
  const entry = { id: file, name: 'shop.db' };
  useStore.setState({ entries: [entry] as never, openDatabases: { [file]: { entry } } as never });
  const copiesBefore = setup.copies;
  const asked = askBeforeFirstEdit(file, 'edit.apply');
  await expect.poll(() => useStore.getState().questions.length, { interval: 1 }).toBe(1);
  expect(useStore.getState().questions).toMatchObject([
    { choices: [{ id: 'file' }], body: expect.stringContaining('would not be encrypted') as string },
  ]);
  await answer('file');
  expect(await asked).toBe(Infinity);
  expect(setup.copies).toBe(copiesBefore);
});
