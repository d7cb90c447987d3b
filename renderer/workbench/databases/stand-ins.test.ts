// What the window does around a change of the functions of a database: keeps them in the profile, and opens the database again.
import { beforeEach, expect, test, vi } from 'vitest';
import type { DatabaseState } from '#shared/protocol/index.ts';
import type { StandIn } from '#shared/stand-ins.ts';

const fake = vi.hoisted(() => ({ log: [] as string[], windows: ['Sidelite'], room: true }));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call: async (op: string) => (fake.log.push(op), { windows: fake.windows }) },
}));
vi.mock('../../connection/shell.ts', () => ({
  shell: {
    windowInfo: async () => ({ windowId: 'w1' }),
    forgetInPlace: async (location: string) => void fake.log.push(`forget ${location}`),
  },
}));
vi.mock('../../state/databases.ts', () => ({
  openDatabase: async (id: string) => (fake.log.push(`open ${id}`), true),
}));
vi.mock('../held/held-store.ts', () => ({ heldOf: () => null }));
const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem(name: string, text: string) {
    if (!fake.room) throw new Error('full');
    kept.set(name, text);
  },
});
const { putDatabaseState, useStore } = await import('../../state/store.ts');
const { standInsOf } = await import('../../state/stand-ins.ts');
const { removeStandIn, saveStandIn, whyNoStandIns } = await import('./stand-ins.ts');

const SHOP = 'db1';
const LOWER: StandIn = {
  ...{ kind: 'scalar', name: 'title_sort', argumentCount: 1, deterministic: true, innocuous: true, code: '(x) => x' },
};
const OPENED_AGAIN = ['database.file', 'database.close', `open ${SHOP}`];
const stateWith = (more: Partial<DatabaseState>): DatabaseState =>
  ({ entry: { id: SHOP, name: 'shop' }, transaction: null, ...more }) as DatabaseState;

beforeEach(() => {
  kept.clear();
  Object.assign(fake, { log: [], windows: ['Sidelite'], room: true });
  useStore.setState({ openDatabases: {} });
  putDatabaseState(stateWith({}));
});

test('a function is kept for its database alone, and the database is opened again', async () => {
  expect(await saveStandIn(SHOP, null, LOWER)).toBeNull();
  expect(fake.log).toEqual(OPENED_AGAIN);
  expect(standInsOf(SHOP)).toEqual([LOWER]);
  expect(standInsOf('db2')).toEqual([]);
  putDatabaseState(stateWith({}));
  expect(await removeStandIn(SHOP, LOWER)).toBeNull();
  expect(standInsOf(SHOP)).toEqual([]);
});

test('a function replaces the one that was edited, and no other', async () => {
  await saveStandIn(SHOP, null, LOWER);
  putDatabaseState(stateWith({}));
  expect(await saveStandIn(SHOP, null, { ...LOWER, name: 'TITLE_SORT' })).toContain('already');
  const changed = { ...LOWER, name: 'other', code: '() => 1' };
  expect(await saveStandIn(SHOP, LOWER, changed)).toBeNull();
  expect(standInsOf(SHOP)).toEqual([changed]);
});

test('nothing changes while work would be lost, another window has the database open, or there is no room', async () => {
  putDatabaseState(stateWith({ transaction: {} as DatabaseState['transaction'] }));
  expect(await saveStandIn(SHOP, null, LOWER)).toContain('A transaction is open');
  putDatabaseState(stateWith({}));
  fake.windows = ['Sidelite', 'Sidelite 2'];
  expect(await saveStandIn(SHOP, null, LOWER)).toContain('another window');
  Object.assign(fake, { windows: ['Sidelite'], room: false });
  expect(await saveStandIn(SHOP, null, LOWER)).toContain('no room');
  expect(fake.log).not.toContain('database.close');
  expect(standInsOf(SHOP)).toEqual([]);
});

test('what is kept is read field by field: a list that is no list defines nothing', () => {
  kept.set('sidelite.standIns', JSON.stringify({ [SHOP]: [LOWER, { name: 'bad' }, 7], db2: 'x' }));
  expect(standInsOf(SHOP)).toEqual([LOWER]);
  expect(standInsOf('db2')).toEqual([]);
  expect(whyNoStandIns(SHOP)).toBeNull();
});
