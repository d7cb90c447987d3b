// What the window does around a change of the list of extensions: asks main, and opens the database again only if something has changed.
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { encryptedId, inPlaceId, type DatabaseState } from '#shared/protocol/index.ts';
import type { ExtensionsReply, ExtensionState } from '#shared/extensions.ts';
import { newRestoredName } from '#shared/replicas.ts';

const fake = vi.hoisted(() => ({
  log: [] as string[],
  reply: {} as ExtensionsReply,
  meanwhile: () => undefined as void,
}));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call: async (operation: string) => void fake.log.push(operation) },
}));
vi.mock('../../connection/shell.ts', () => ({
  isDesktop: true,
  shell: {
    windowInfo: async () => ({ windowId: 'w1' }),
    forgetInPlace: async (location: string) => void fake.log.push(`forget ${location}`),
    extensions: {
      async add(location: string) {
        fake.log.push(`add to ${location}`);
        fake.meanwhile();
        return fake.reply;
      },
    },
  },
}));
vi.mock('../../state/databases.ts', () => ({
  openDatabase: async (id: string) => (fake.log.push(`open ${id}`), true),
  notifyFailure: (thrown: Error) => notify({ tone: 'error', text: thrown.message }),
}));
vi.mock('../held/held-store.ts', () => ({ heldOf: () => null }));
const { notify, putDatabaseState, useStore } = await import('../../state/store.ts');
const { addExtension, startExtensions, whyNoExtensions } = await import('./extensions.ts');

const DATABASE = inPlaceId('a1');
const stateWith = (more: Partial<DatabaseState>): DatabaseState =>
  ({ entry: { id: DATABASE, name: 'shop.db' }, transaction: null, ...more }) as DatabaseState;
const told = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);

beforeEach(() => {
  Object.assign(fake, { log: [], reply: { changed: true }, meanwhile: () => undefined });
  useStore.setState({ notices: [], questions: [], openDatabases: {}, entries: null });
  putDatabaseState(stateWith({}));
});

test('a database is closed, forgotten, and opened again once an extension was added', async () => {
  await addExtension(DATABASE);
  expect(fake.log).toEqual(['add to a1', 'database.close', 'forget a1', `open ${DATABASE}`]);
  expect(told()).toEqual([]);
});

test('it stays as it is if nothing was chosen, or main refuses', async () => {
  fake.reply = { changed: false };
  await addExtension(DATABASE);
  fake.reply = { why: 'Not here.' };
  await addExtension(DATABASE);
  expect(fake.log).toEqual(['add to a1', 'add to a1']);
  expect(told()).toEqual(['Not here.']);
});

test('an open transaction is not rolled back for it, nor one that began while main asked', async () => {
  const transaction = {} as DatabaseState['transaction'];
  putDatabaseState(stateWith({ transaction }));
  await addExtension(DATABASE);
  expect(fake.log).toEqual([]);
  expect(told().join()).toContain('A transaction is open');
  putDatabaseState(stateWith({}));
  fake.meanwhile = () => putDatabaseState(stateWith({ transaction }));
  await addExtension(DATABASE);
  expect(fake.log).toEqual(['add to a1']);
  expect(told().join()).toContain('takes effect when the database is opened again');
});

test('one that is not loaded is told of once, also when a database is opened', () => {
  startExtensions();
  const extension = { id: 'x', fileName: 'vec0.so', why: null } as ExtensionState;
  putDatabaseState(stateWith({ extensions: [extension] }));
  expect(told()).toEqual([]);
  const changed = { ...extension, why: 'It has changed.' };
  for (const _ of [1, 2]) putDatabaseState(stateWith({ extensions: [{ ...changed }] }));
  expect(told()).toEqual(['“vec0.so”: It has changed.']);
});

test('only files in place get extensions', () => {
  for (const file of [DATABASE, encryptedId('a1')]) expect(whyNoExtensions(file)).toBeNull();
  for (const other of [inPlaceId(newRestoredName(randomUUID())), 'remote-a1', 'library-1'])
    expect(whyNoExtensions(other)).toEqual(expect.any(String));
});
