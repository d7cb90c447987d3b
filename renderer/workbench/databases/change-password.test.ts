// What the window does around the change of a password, in which order, and what it says if a part of it fails.
import { beforeEach, expect, test, vi } from 'vitest';
import { AppError, encryptedId, inPlaceId, type DatabaseState, type LibraryEntry } from '#shared/protocol/index.ts';
import type { ChangedKey } from '#shared/native-link.ts';

const fake = vi.hoisted(() => ({ log: [] as string[], changed: {} as ChangedKey, failing: '' }));
const step = async (name: string): Promise<void> => {
  fake.log.push(name);
  if (name === fake.failing) throw AppError.io(`${name} failed.`);
};
vi.mock('../../connection/database-client.ts', () => ({ client: { call: step }, libraryClient: {} }));
vi.mock('../../connection/across-restart.ts', () => ({ acrossRestart: (_: unknown, run: () => unknown) => run() }));
vi.mock('../../connection/shell.ts', () => ({
  isDesktop: true,
  shell: {
    windowInfo: async () => ({ windowId: 'w1' }),
    canRememberKeys: async () => false,
    changeKey: async () => (await step('change'), fake.changed),
  },
}));
vi.mock('../../state/databases.ts', () => ({
  openDatabase: async (id: string) => (await step(`open ${id}`), true),
  reachFile: async () => (await step('reach'), {}),
  refreshLibrary: async () => undefined,
  notifyFailure: (thrown: Error) => notify({ tone: 'error', text: thrown.message }),
}));
vi.mock('../../state/session-state.ts', () => ({ saveState: () => step('save tabs') }));
vi.mock('../held/held-store.ts', () => ({ heldOf: () => null }));
const { notify, putDatabaseState, useStore } = await import('../../state/store.ts');
const { changePassword } = await import('./change-password.ts');

const [PLAIN, ENCRYPTED] = [inPlaceId('a1'), encryptedId('a1')];
const KEY = { secret: 'new' } as never;

/** Returns what the dialog says then; null: it closes. */
async function submit(id: string, key = KEY): Promise<string | null> {
  const entry = { id, name: 'shop.db' } as LibraryEntry;
  putDatabaseState({ entry } as DatabaseState);
  void changePassword(entry);
  await vi.waitFor(() => expect(useStore.getState().questions).toHaveLength(1));
  const [question] = useStore.getState().questions;
  fake.log.length = 0;
  return question!.kind === 'key' ? question!.attempt(key) : 'another question';
}

const told = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);

beforeEach(() => {
  Object.assign(fake, { log: [], changed: { left: null }, failing: '' });
  useStore.setState({ notices: [], questions: [], openDatabases: {}, entries: null });
});

test('a password that is set: the library forgets values once the tabs are stored without them', async () => {
  expect(await submit(PLAIN)).toBeNull();
  const then = ['save tabs', 'library.forgetValues', 'reach', 'library.removeFile', `open ${ENCRYPTED}`];
  expect(fake.log).toEqual(['database.close', 'change', ...then]);
  expect(told()).toEqual(['“shop.db” has its new password.']);
});

test('what was chosen for the file is chosen for it under its new id', async () => {
  useStore.setState({ entries: [{ id: ENCRYPTED, editing: 'file', durability: 'balanced' } as LibraryEntry] });
  await submit(ENCRYPTED, null as never);
  const list = ['library.removeFile', 'library.addFile', 'library.keepDurability', 'library.keepEditing'];
  expect(fake.log.slice(2)).toEqual(['reach', ...list, `open ${PLAIN}`]);
});

test('one that was not changed: the dialog says why, and the file is open as before', async () => {
  fake.changed = { why: 'Another program has it open.' };
  expect(await submit(ENCRYPTED)).toBe('Another program has it open.');
  expect(fake.log).toEqual(['database.close', 'change', `open ${ENCRYPTED}`]);
  expect(told()).toEqual([]);
});

test.each(['library.forgetValues', 'reach'])('one that is set stays so if “%s” fails', async (failing) => {
  fake.failing = failing;
  expect(await submit(PLAIN)).toBeNull();
  expect(told()).toEqual([`${failing} failed.`, '“shop.db” has its new password.']);
});
