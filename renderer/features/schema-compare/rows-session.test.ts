import { beforeEach, expect, test, vi } from 'vitest';
import { RowsSession } from './rows-session.ts';

interface Asked {
  readonly op: string;
  readonly params: { readonly database: string; readonly id?: number };
  answer(reply: unknown): void;
}

const { asked } = vi.hoisted(() => ({ asked: [] as unknown as Asked[] }));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../../workbench/comparison-copies.ts', () => ({}));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    // A stop arrives too late to be of effect.
    call: (op: string, params: Asked['params']) =>
      new Promise((resolve) => asked.push({ op, params, answer: resolve })),
    on: () => () => undefined,
    onReconnected: () => () => undefined,
  },
}));

beforeEach(() => void (asked.length = 0));
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ended = (): unknown => asked.filter(({ op }) => op === 'comparison.end').map(({ params }) => params);

test('a comparison that ends after others were chosen is released, and does not disturb the next one', async () => {
  const session = new RowsSession();
  session.setGoal({ from: 'a', to: 'b', toBefore: null });
  const first = session.compare(null);
  await settled();
  session.setGoal({ from: 'a', to: 'c', toBefore: null });
  const second = session.compare(null);
  await settled();
  asked[0]!.answer({ id: 1 });
  await first;
  expect(session.useView.getState()).toMatchObject({ goal: { to: 'c' }, result: null });
  expect(session.useView.getState().running).not.toBeNull();
  expect(ended()).toEqual([{ database: 'a', id: 1 }]);
  asked.find(({ params, op }) => op === 'comparison.rows' && params !== asked[0]!.params)!.answer({ id: 2 });
  await second;
  expect(session.useView.getState()).toMatchObject({ result: { id: 2 }, running: null });
});

test('a comparison that ends after its tab was closed is released', async () => {
  const session = new RowsSession();
  session.setGoal({ from: 'a', to: 'b', toBefore: null });
  const work = session.compare(null);
  await settled();
  session.dispose();
  asked[0]!.answer({ id: 1 });
  await work;
  expect(ended()).toEqual([{ database: 'a', id: 1 }]);
});
