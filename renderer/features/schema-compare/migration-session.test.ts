import { beforeEach, expect, test, vi } from 'vitest';
import { MigrationSession, type MigrationGoal } from './migration-session.ts';

interface Asked {
  readonly op: string;
  readonly params: unknown;
  answer(reply: unknown): void;
}

const { asked } = vi.hoisted(() => ({ asked: [] as unknown as Asked[] }));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('#shared/schema-diff/remaining.ts', () => ({ remainingDifferences: () => ({}) }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    // A stop arrives too late to have an effect.
    call: (op: string, params: unknown) => new Promise((resolve) => asked.push({ op, params, answer: resolve })),
    on: () => () => undefined,
    onReconnected: () => () => undefined,
  },
}));

beforeEach(() => void (asked.length = 0));
const schema = { objects: [] };
const goalOf = (database: string): MigrationGoal =>
  ({ database, from: schema, to: schema, difference: { objects: [], settings: [] } }) as unknown as MigrationGoal;

async function answer(op: string, reply: unknown): Promise<void> {
  await expect.poll(() => asked.some((one) => one.op === op)).toBe(true);
  const at = asked.findIndex((one) => one.op === op);
  asked.splice(at, 1)[0]!.answer(reply);
}

test('a change that is made after its tab was closed is discarded', async () => {
  const session = new MigrationSession('tab');
  session.setGoal(goalOf('a'));
  const applied = session.apply();
  await answer('schema.text', schema);
  await expect.poll(() => asked.some(({ op }) => op === 'schema.change')).toBe(true);
  session.dispose();
  await answer('schema.change', { sql: [] });
  await answer('schema.text', schema);
  await applied;
  expect(asked).toMatchObject([{ op: 'dryRun.finish', params: { database: 'a', keep: false } }]);
});

test('a trial says nothing about a comparison that is not the one it was started for', async () => {
  const session = new MigrationSession('tab');
  session.setGoal(goalOf('a'));
  const tried = session.tryOnCopy();
  session.setGoal(goalOf('b'));
  await answer('schema.try', { report: { sql: [] }, schema });
  await tried;
  expect(session.useView.getState()).toMatchObject({ goal: { database: 'b' }, trial: null, phase: 'choosing' });
  expect(session.useView.getState().failure).toContain('Try again');
});
