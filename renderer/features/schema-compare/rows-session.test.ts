import { beforeEach, expect, test, vi } from 'vitest';
import { EVERY_ROW, withKind, withRow } from './rows-choice.ts';
import { RowsSession } from './rows-session.ts';

interface Asked {
  readonly op: string;
  readonly params: { readonly database: string; readonly id?: number };
  answer(reply: unknown): void;
}

const { asked } = vi.hoisted(() => ({ asked: [] as unknown as Asked[] }));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../../workbench/databases/comparison-copies.ts', () => ({}));
const copies = vi.hoisted(() => ({ asked: [] as unknown[][], released: [] as string[] }));
vi.mock('../../workbench/databases/server-copies.ts', () => ({
  copyFromServer: (...params: unknown[]) => {
    copies.asked.push(params.slice(0, 3));
    const database = `copy of ${params[0] as string}`;
    const release = (): Promise<void> => Promise.resolve(void copies.released.push(database));
    return Promise.resolve({ database, notes: [`${params[0] as string} changed.`], release });
  },
}));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    // A stop arrives too late to have an effect.
    call: (op: string, params: Asked['params']) =>
      new Promise((resolve) => asked.push({ op, params, answer: resolve })),
    on: () => () => undefined,
    onReconnected: () => () => undefined,
  },
  processClients: { isApart: (database: string) => database === EXTENDED },
}));

const NO_NAMES = { from: [], to: [] };
/** In a process of its own. */
const EXTENDED = 'file:extended';
beforeEach(() => {
  asked.length = copies.asked.length = copies.released.length = 0;
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ended = (): unknown => asked.filter(({ op }) => op === 'comparison.end').map(({ params }) => params);

test('a comparison that ends after others were chosen is released, and does not disturb the next one', async () => {
  const session = new RowsSession();
  session.setGoal({ from: 'a', to: 'b', toBefore: null });
  const first = session.compare(null, NO_NAMES);
  await settled();
  session.setGoal({ from: 'a', to: 'c', toBefore: null });
  const second = session.compare(null, NO_NAMES);
  await settled();
  asked[0]!.answer({ id: 1, notes: [] });
  await first;
  expect(session.useView.getState()).toMatchObject({ goal: { to: 'c' }, result: null });
  expect(session.useView.getState().running).not.toBeNull();
  expect(ended()).toEqual([{ database: 'a', id: 1 }]);
  asked.find(({ params, op }) => op === 'comparison.rows' && params !== asked[0]!.params)!.answer({ id: 2, notes: [] });
  await second;
  expect(session.useView.getState()).toMatchObject({ result: { id: 2 }, running: null });
});

test('a comparison that ends after its tab was closed is released', async () => {
  const session = new RowsSession();
  session.setGoal({ from: 'a', to: 'b', toBefore: null });
  const work = session.compare(null, NO_NAMES);
  await settled();
  session.dispose();
  asked[0]!.answer({ id: 1, notes: [] });
  await work;
  expect(ended()).toEqual([{ database: 'a', id: 1 }]);
});

test('of a server’s database only the compared tables are copied, and the copy stays for the patch', async () => {
  const session = new RowsSession();
  session.setGoal({ from: 'remote-1', to: 'b', toBefore: null });
  const work = session.compare(null, { from: ['T'], to: ['t'] });
  await settled();
  expect(copies.asked).toEqual([['remote-1', ['T'], 'wasm']]);
  expect(asked[0]).toMatchObject({ op: 'comparison.rows', params: { database: 'copy of remote-1', to: 'b' } });
  asked[0]!.answer({ id: 1, notes: ['A note.'] });
  await work;
  expect(session.useView.getState().result).toMatchObject({ notes: ['remote-1 changed.', 'A note.'] });
  expect(copies.released).toEqual([]);
  session.dispose();
  expect(ended()).toEqual([{ database: 'copy of remote-1', id: 1 }]);
  asked.find(({ op }) => op === 'comparison.end')!.answer(null);
  await settled();
  expect(copies.released).toEqual(['copy of remote-1']);
});

test('what is chosen is applied, and everything is chosen after the next comparison', async () => {
  const session = new RowsSession();
  session.setGoal({ from: 'remote-1', to: 'b', toBefore: null });
  const work = session.compare(null, NO_NAMES);
  await settled();
  asked[0]!.answer({ id: 1, notes: [] });
  await work;
  session.choose(withRow(withKind(EVERY_ROW, 'deleted', false), 'updated', 4));
  void session.apply('b');
  await settled();
  expect(asked.find(({ op }) => op === 'comparison.changes')?.params).toEqual({
    database: 'copy of remote-1',
    id: 1,
    rows: { kinds: ['inserted', 'updated'], except: [4] },
  });
  const again = session.compare(null, NO_NAMES);
  await settled();
  asked.filter(({ op }) => op === 'comparison.rows')[1]!.answer({ id: 2, notes: [] });
  await again;
  expect(session.useView.getState().chosen).toEqual(EVERY_ROW);
  session.dispose();
});

test('a file in place is compared with a copy of a server’s database, which goes when that is done', async () => {
  const session = new RowsSession();
  session.setGoal({ from: 'file:1', to: 'remote-1', toBefore: null });
  const work = session.compare(null, { from: ['T'], to: ['t'] });
  await settled();
  expect(copies.asked).toEqual([['remote-1', ['t'], 'native']]);
  expect(asked[0]).toMatchObject({ op: 'comparison.rows', params: { database: 'file:1', to: 'copy of remote-1' } });
  asked[0]!.answer({ id: 1, notes: [] });
  await work;
  expect(copies.released).toEqual(['copy of remote-1']);
  session.dispose();
});

test('a database with extensions is in a process of its own, where the other one is not', async () => {
  for (const goal of [
    { from: EXTENDED, to: 'b', toBefore: null },
    { from: 'a', to: EXTENDED, toBefore: null },
  ]) {
    const session = new RowsSession();
    session.setGoal(goal);
    await session.compare(null, NO_NAMES);
    expect(session.useView.getState().failure).toContain('has extensions');
  }
  expect(asked).toEqual([]);
});
