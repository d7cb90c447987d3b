import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DatabaseState } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { keepServerTransactions } from './server-transactions.ts';

const fake = vi.hoisted(() => ({
  kept: [] as unknown[],
  answer: (): Promise<null> => Promise.resolve(null),
  tell: null as unknown,
}));
vi.mock('../../connection/shell.ts', () => ({ shell: { windowInfo: async () => ({ windowId: 'own' }) } }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: (topic: string, listener: unknown) => (fake.tell = topic === 'remote.transactionLost' ? listener : fake.tell),
    onReconnected: () => () => undefined,
    call: (op: string, { database }: { readonly database: string }) => {
      if (op === 'remote.keepTransaction') fake.kept.push(database);
      return fake.answer();
    },
  },
}));

/** After as long without a request a server ends a transaction. */
const SERVER_WAITS_MS = 10_000;

const stateOf = (id: string, windowId: string | null): DatabaseState =>
  ({ entry: { id }, transaction: windowId === null ? null : { windowId } }) as unknown as DatabaseState;
const show = (...states: readonly DatabaseState[]): void =>
  useStore.setState({ openDatabases: Object.fromEntries(states.map((state) => [state.entry.id, state])) });

beforeEach(async () => {
  vi.useFakeTimers();
  Object.assign(fake, { kept: [], answer: () => Promise.resolve(null) });
  await keepServerTransactions();
});
afterEach(() => void vi.useRealTimers());

test('a server hears of an open transaction of this window before it would end it, for as long as it is open', async () => {
  show(stateOf('remote-a', 'own'), stateOf('remote-b', 'other'), stateOf('remote-c', null), stateOf('d', 'own'));
  for (let time = 0; time < 6; time++) {
    fake.kept.length = 0;
    await vi.advanceTimersByTimeAsync(SERVER_WAITS_MS / 2);
    expect(fake.kept.length).toBeGreaterThan(0);
    expect(new Set(fake.kept)).toEqual(new Set(['remote-a']));
  }
  show(stateOf('remote-a', null));
  fake.kept.length = 0;
  await vi.advanceTimersByTimeAsync(3 * SERVER_WAITS_MS);
  expect(fake.kept).toEqual([]);
});

test('a server that is slow to answer is asked once at a time, and again after an error', async () => {
  let fail!: (error: Error) => void;
  fake.answer = () => new Promise((_resolve, reject) => (fail = reject));
  show(stateOf('remote-a', 'own'));
  await vi.advanceTimersByTimeAsync(4 * SERVER_WAITS_MS);
  expect(fake.kept).toHaveLength(1);
  fail(new Error('The server ended the connection.'));
  await vi.advanceTimersByTimeAsync(SERVER_WAITS_MS / 2);
  expect(fake.kept).toHaveLength(2);
});

test('the loss of a transaction is told with the name of its connection', () => {
  useStore.setState({ notices: [], connections: [{ database: 'remote-a', name: 'Shop' }] as never });
  (fake.tell as (lost: object) => void)({ database: 'remote-a', why: 'The open transaction was lost.' });
  expect(useStore.getState().notices).toMatchObject([
    { tone: 'error', text: '“Shop”: The open transaction was lost.' },
  ]);
});
