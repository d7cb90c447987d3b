import { beforeEach, expect, test, vi } from 'vitest';
import { useStore } from '../../state/store.ts';
import { startConnections } from './connections.ts';

const told = vi.hoisted(
  () => ({}) as { ask: (id: string) => Promise<unknown>; token: (id: string, why: string) => void },
);
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onAskToWrite: (ask: typeof told.ask) => (told.ask = ask),
    onTokenProblem: (tell: typeof told.token) => (told.token = tell),
  },
  processClients: { followAll: () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: { remote: { onChanged: () => undefined } } }));
vi.mock('../../state/databases.ts', () => ({}));

const SHOP = { database: 'remote-a', name: 'Shop', address: 'http://127.0.0.1:1', readOnly: false };
startConnections();
beforeEach(() =>
  useStore.setState({ connections: [SHOP] as never, notices: [], questions: [], editedConnection: null }),
);

test('a write to a production database is allowed once, for a while, or not at all', async () => {
  for (const [id, allowed] of [
    ['once', 'once'],
    ['while', 600_000],
    [null, null],
  ] as const) {
    const asked = told.ask('remote-a');
    const [question] = useStore.getState().questions;
    expect(question).toMatchObject({ kind: 'choice', title: 'Write to “Shop”?' });
    if (question?.kind === 'choice') question.answer(id);
    expect(await asked).toBe(allowed);
  }
});

test('a token that is not accepted is told of once, with the way to another one', () => {
  told.token('remote-a', 'expired');
  told.token('remote-a', 'expired');
  const { notices } = useStore.getState();
  expect(notices).toMatchObject([{ text: 'The token of “Shop” has expired.', action: { label: 'Edit connection' } }]);
  notices[0]!.action!.run();
  expect(useStore.getState().editedConnection).toBe(SHOP);
});
