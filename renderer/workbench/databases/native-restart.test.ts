import { beforeEach, expect, test, vi } from 'vitest';
import { encryptedId, engineOf, type DatabaseState, type ErrorData, type Work } from '#shared/protocol/index.ts';

interface Told {
  readonly tone: string;
  readonly text: string;
  readonly action?: { readonly label: string; run(): void };
}

const fake = vi.hoisted(() => ({
  status: null as unknown,
  reconnected: null as unknown,
  state: {} as unknown,
  told: [] as unknown[],
  reached: [] as unknown[],
  follow: null as unknown,
}));
vi.mock('../../connection/database-client.ts', () => ({
  isInNativeEngine: (database: string) => engineOf(database) === 'native',
  isNativeWork: () => true,
  nativeClient: {
    onStatus: (listener: unknown) => (fake.status = listener),
    onReconnected: (listener: unknown) => (fake.reconnected = listener),
  },
  processClients: { followAll: (follow: unknown) => (fake.follow = follow) },
}));
vi.mock('../../state/databases.ts', () => ({
  notifyFailure: () => undefined,
  reachFile: (location: unknown) => Promise.resolve(fake.reached.push(location)),
}));
vi.mock('../../state/store.ts', () => ({
  notify: (notice: unknown) => fake.told.push(notice),
  useStore: { getState: () => fake.state },
}));
const { endedLabel, watchNativeRestarts } = await import('./native-restart.ts');

const database = (name: string, windowTitle?: string): DatabaseState =>
  ({
    entry: { id: `file:${name}`, name },
    transaction: windowTitle === undefined ? null : { windowTitle },
  }) as unknown as DatabaseState;
const show = (...databases: readonly DatabaseState[]): void => {
  const openDatabases = Object.fromEntries(databases.map((each) => [each.entry.id, each]));
  fake.state = { openDatabases, works: [], nativeEngine: true };
};
const told = (): readonly Told[] => fake.told as Told[];
const status = (change: { readonly status: string; readonly error?: ErrorData }): void =>
  (fake.status as (change: object) => void)(change);

beforeEach(() => {
  Object.assign(fake, { told: [], reached: [] });
  watchNativeRestarts();
});

test('says whose transaction on which file was rolled back, and what else ran', () => {
  const work = { title: 'UPDATE item', databaseName: 'b.db' } as Work;
  expect(endedLabel([database('a.db', 'Window 2'), database('b.db')], [work])).toBe(
    'Changes committed to “a.db”, “b.db” are safe in the files. Rolled back: the open transaction of Window 2 on “a.db”, “UPDATE item” on “b.db”.',
  );
});

test('says that no transaction was open', () => {
  expect(endedLabel([database('a.db')], [])).toBe(
    'Changes committed to “a.db” are safe in the file. No transaction was open there; anything uncommitted was rolled back.',
  );
});

test('a restart is told once it is over, with what was open when the engine ended', () => {
  show(database('a.db', 'Window 2'));
  status({ status: 'disconnected' });
  expect(told()).toEqual([]);
  // The new engine knows of no transaction.
  show(database('a.db'));
  (fake.reconnected as () => void)();
  expect(told()).toMatchObject([
    {
      tone: 'warning',
      text: 'The native engine was restarted. Changes committed to “a.db” are safe in the file. Rolled back: the open transaction of Window 2 on “a.db”.',
    },
  ]);
});

test('an engine that is not restarted any more is told with its reason, and a person can start it again', () => {
  show(database('a.db'));
  status({ status: 'disconnected' });
  status({ status: 'refused', error: { code: 'unavailable', message: 'It stopped four times within a minute.' } });
  expect(told()).toMatchObject([
    {
      tone: 'error',
      text: expect.stringMatching(/^It stopped four times within a minute\. Changes committed to “a\.db” are safe/),
      action: { label: 'Start it again' },
    },
  ]);
  told()[0]!.action!.run();
  expect(fake.reached).toEqual([{ locationId: 'a.db' }]);
});

test('the process of an encrypted file is told of by itself, and not when it ended because its file was closed', () => {
  const id = encryptedId('a');
  let heardStatus: (change: object) => void;
  let heardReconnected: () => void;
  const client = {
    onStatus: (listener: typeof heardStatus) => ((heardStatus = listener), () => undefined),
    onReconnected: (listener: typeof heardReconnected) => ((heardReconnected = listener), () => undefined),
  };
  (fake.follow as (process: object) => void)({ database: id, client, owns: () => true });
  const end = (...open: readonly DatabaseState[]): void => {
    show(...open);
    heardStatus!({ status: 'disconnected' });
    heardReconnected!();
  };
  end(database('plain.db'));
  expect(told()).toEqual([]);
  const locked = { ...database('locked.db', 'Window 2'), entry: { id, name: 'locked.db' } } as DatabaseState;
  end(locked, database('plain.db'));
  expect(told()).toMatchObject([
    {
      text: 'The process that opens the file was restarted. Changes committed to “locked.db” are safe in the file. Rolled back: the open transaction of Window 2 on “locked.db”.',
    },
  ]);
});
