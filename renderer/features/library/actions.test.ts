import { beforeEach, expect, test, vi } from 'vitest';
import { AppError, type LibraryEntry } from '#shared/protocol/index.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call, on: () => () => undefined, onReconnected: () => () => undefined },
  libraryClient: { onReconnected: () => () => undefined },
  nativeClient: { onReconnected: () => () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({
  isDesktop: true,
  shell: { windowInfo: async () => ({ windowId: 'w' }), chooseFiles: async () => [] },
}));
vi.mock('../../state/tab-kinds.ts', () => ({ titleAmong: ({ id }: { id: string }) => id, tabKindOf: () => ({}) }));
const { checkIntegrity, libraryMenu } = await import('./actions.ts');
const { askAboutMissing } = await import('./opening.ts');
const { useGitFiles } = await import('../../workbench/databases/git-files.ts');
const { setTabStatus, useStore } = await import('../../state/store.ts');

const SHOP = { id: 'shop', name: 'shop', source: { displayPath: '~/shop.db' } } as LibraryEntry;
const called = (): readonly string[] => call.mock.calls.map(([operation]) => operation as string);

/** The question that is on screen, once it is there. */
async function question() {
  await expect.poll(() => useStore.getState().questions.length).toBe(1);
  return useStore.getState().questions[0]!;
}

beforeEach(() => {
  call.mockReset().mockResolvedValue([]);
  useStore.setState({ notices: [], questions: [], tabs: [], openDatabases: {} });
});

test('a check says that all is well, or what is wrong; one that is stopped says neither', async () => {
  const said = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);
  call.mockRejectedValueOnce(new AppError({ code: 'stopped', message: 'The check was stopped.' }));
  await checkIntegrity(SHOP);
  expect(said().join()).not.toContain('is intact');
  call.mockResolvedValueOnce({ messages: [], unchecked: [{ table: 'words', reason: 'There is no module.' }] });
  await checkIntegrity(SHOP);
  expect(said().join()).toContain('no errors in “shop”. Not checked');
  expect(said().join()).toContain('“words” (There is no module.)');
  expect(said().join()).not.toContain('is intact');
  call.mockResolvedValueOnce({ messages: [], unchecked: [] });
  await checkIntegrity(SHOP);
  expect(said()).toContain('“shop” is intact: SQLite found no errors in it.');
  const messages = Array.from({ length: 22 }, (_, page) => `Page ${page} is never used`);
  call.mockResolvedValueOnce({ messages, unchecked: [] });
  const checking = checkIntegrity(SHOP);
  const found = await question();
  expect(found).toMatchObject({ title: 'SQLite found errors in “shop”' });
  if (found.kind === 'confirm') found.answer(true);
  await checking;
});

test('closing a database asks about what is not saved in it', async () => {
  useStore.setState({
    tabs: [{ id: 'item', database: 'shop' } as never],
    openDatabases: { shop: { entry: SHOP } as never },
  });
  setTabStatus('item', { unsaved: true });
  const close = (): void =>
    libraryMenu(SHOP).forEach(
      (entry) => typeof entry === 'object' && 'run' in entry && entry.label === 'Close' && entry.run(),
    );
  for (const agreed of [false, true]) {
    close();
    const asked = await question();
    expect(asked).toMatchObject({ title: 'Close “shop”?', body: 'What you typed in “item” is not saved yet.' });
    if (asked.kind === 'confirm') asked.answer(agreed);
    await expect.poll(() => 'shop' in useStore.getState().openDatabases).toBe(!agreed);
  }
});

test.each(['remove', null])(
  'a file that is missing is asked about, and leaves the list only then (%s)',
  async (answer) => {
    const asking = askAboutMissing(SHOP);
    const asked = await question();
    expect(asked).toMatchObject({ title: '“shop” was not found', body: expect.stringContaining('~/shop.db') });
    if (asked.kind === 'choice') asked.answer(answer);
    await asking;
    expect(called()).toEqual(answer === null ? [] : ['library.removeFile']);
  },
);

test.each([
  [
    'shop',
    'Open, Close, -, Rename…, Duplicate, Back up now…, Publish to server…, Show health, Reveal source file, -, Durability, Full, Balanced, -, Delete…',
  ],
  [
    'file:shop',
    'Open, Close, -, Back up now…, Publish to server…, Show health, Show in folder, -, Durability, Full, Balanced, -, Ask again at the next edit, Set password…, Remove from list',
  ],
  [
    'file:in-git',
    'Open, Close, -, Back up now…, Publish to server…, Show health, Compare with Git revision…, Show in folder, -, Durability, Full, Balanced, -, Ask again at the next edit, Set password…, Remove from list',
  ],
  [`file:restored-${'0'.repeat(36)}`, 'Open, -, Back up now…, Publish to server…, Show health, -, Close and remove'],
  [
    `remote-${'0'.repeat(32)}`,
    'Open, Close, -, Show health, Copy into library…, Edit connection…, -, Remove connection…',
  ],
])('the menu of %s holds what can be done with it', (id, labels) => {
  const entry = { ...SHOP, id };
  useStore.setState({ openDatabases: { [id]: { entry } as never } });
  useGitFiles.setState({ inRepository: new Set(['file:in-git']) });
  const shown = libraryMenu(entry).map((item) => {
    if (item === 'separator') return '-';
    return 'heading' in item ? item.heading : String('label' in item ? item.label : '').replace(/:.*/, '');
  });
  expect(shown.join(', ')).toBe(labels);
});
