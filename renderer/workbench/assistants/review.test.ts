// A proposal in the hands of a person: what is kept is what was shown, and nothing else is written.
import { beforeEach, expect, test, vi } from 'vitest';
import type { AssistantSession, ProposalState } from '#shared/assistants.ts';
import { AppError } from '#shared/protocol/index.ts';
import { afterDryRun } from '../text/dry-run.ts';
import { useAssistants } from './assistants.ts';
import { closeReview, discardReview, keepReview, reviewNext, startReviews } from './review.ts';

const fake = vi.hoisted(() => ({
  log: [] as string[],
  sql: '',
  reply: {} as object,
  maySettle: true,
  failure: null as unknown,
  notices: [] as string[],
  started: null as Promise<void> | null,
}));
vi.mock('../../connection/shell.ts', () => ({
  shell: {
    assistants: {
      read: async () => ({ client: 'claude', sql: fake.sql, reason: '' }),
      async settle(id: string, state: string) {
        fake.log.push(`${id} ${state}`);
        return fake.maySettle;
      },
    },
  },
}));
vi.mock('../../state/databases.ts', () => ({ ensureOpen: async () => undefined, notifyFailure: () => undefined }));
vi.mock('../../state/store.ts', async (original) => ({
  ...(await original<object>()),
  notify: ({ text }: { readonly text: string }) => void fake.notices.push(text),
}));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onReconnected: () => () => undefined,
    async call(op: string, { keep, proposed }: { readonly keep?: boolean; readonly proposed?: boolean }) {
      fake.log.push(op === 'dryRun.start' ? `run ${String(proposed)}` : keep ? 'commit' : 'rollback');
      if (op === 'dryRun.start') return (await fake.started, fake.reply);
      if (keep && fake.failure !== null) throw fake.failure;
      return null;
    },
  },
}));
const ROWS = { tables: [{ table: 'item', inserted: 0, updated: 1, deleted: 0 }], rows: 1, statements: 1, timeMs: 1, schema: false }; // prettier-ignore

startReviews();
let last = 0;
/** One session for each test: permissions are given to a session. */
let session = 0;
beforeEach(() => {
  Object.assign(fake, { sql: 'UPDATE item SET a = 1', reply: ROWS, maySettle: true, failure: null, started: null });
  useAssistants.setState({ sessions: [], review: null });
  [fake.log, fake.notices] = [[], []];
  session++;
});

const sessionWith = (...proposals: readonly (readonly [string, ProposalState])[]): AssistantSession => ({
  id: session,
  client: 'claude',
  files: ['shop.db'],
  calls: {},
  proposals: proposals.map(([id, state]) => ({ id, database: 'file:a', fileName: 'shop.db', state })),
});
/** Returns its id. */
function arrive(): string {
  const id = `p${++last}`;
  useAssistants.setState({ sessions: [sessionWith([id, 'waiting'])] });
  return id;
}
const shown = () => useAssistants.getState().review;

test('what is kept was shown, and is claimed before it is committed', async () => {
  const id = arrive();
  await Promise.resolve();
  expect(fake.log).toEqual([]);
  await reviewNext();
  expect([shown()?.phase, shown()?.reply]).toEqual(['open', ROWS]);
  await keepReview(false);
  expect(fake.log).toEqual(['run true', `${id} keeping`, 'commit', `${id} kept`]);
  expect(shown()).toBeNull();
});

test('closing leaves it waiting, and discarding says so', async () => {
  const id = arrive();
  await reviewNext();
  closeReview();
  expect(fake.log).toEqual(['run true', 'rollback']);
  await reviewNext();
  await discardReview();
  expect(fake.log).toEqual(['run true', 'rollback', 'run true', 'rollback', `${id} discarded`]);
});

test('a dry run that ends after the dialog was closed is taken back', async () => {
  arrive();
  let end = (): void => undefined;
  fake.started = new Promise((resolve) => (end = resolve));
  const reviewing = reviewNext();
  await expect.poll(() => shown()?.phase).toBe('running');
  closeReview();
  end();
  await reviewing;
  expect([fake.log, shown()]).toEqual([['run true', 'rollback'], null]);
});

test('a commit that fails after the dialog was closed is taken back', async () => {
  arrive();
  await reviewNext();
  fake.failure = AppError.locked('Another program has it locked.');
  const keeping = keepReview(false);
  closeReview();
  await keeping;
  expect([fake.log.slice(-3), shown()]).toEqual([['commit', expect.stringContaining('waiting'), 'rollback'], null]);
});

test('what the assistant has taken back is not committed', async () => {
  const id = arrive();
  await reviewNext();
  fake.maySettle = false;
  await keepReview(true);
  expect(fake.log).toEqual(['run true', `${id} keeping`, 'rollback']);
  expect(shown()).toMatchObject({ phase: 'failed', said: expect.stringContaining('no longer offered') as unknown });
});

test('a transaction that is over is run and shown again, and a failed commit can be repeated', async () => {
  const id = arrive();
  await reviewNext();
  fake.failure = AppError.notFound('This dry run is over.');
  await keepReview(false);
  expect(fake.log).toEqual(['run true', `${id} keeping`, 'commit', `${id} waiting`, 'run true']);
  expect(shown()).toMatchObject({ phase: 'open', said: expect.stringContaining('Look at the rows again') as unknown });
  fake.failure = AppError.constraint('FOREIGN KEY constraint failed');
  await keepReview(false);
  expect(shown()).toMatchObject({ phase: 'open', said: 'FOREIGN KEY constraint failed' });
  fake.failure = AppError.disconnected('The engine has ended.');
  await keepReview(false);
  expect(fake.log.slice(-2)).toEqual(['commit', `${id} unknown`]);
  expect(shown()).toMatchObject({ phase: 'failed', said: expect.stringContaining('is not known') as unknown });
  useAssistants.setState({ sessions: [sessionWith([id, 'unknown'])] });
  expect(shown()?.said).toContain('is not known');
  [fake.maySettle, fake.notices] = [false, []];
  await discardReview();
  expect(fake.notices).toEqual([]);
});

test('what is taken back while it is shown is rolled back at once', async () => {
  const id = arrive();
  await reviewNext();
  useAssistants.setState({ sessions: [sessionWith([id, 'withdrawn'])] });
  expect(fake.log).toEqual(['run true', 'rollback']);
  expect(shown()).toMatchObject({
    phase: 'failed',
    reply: null,
    said: expect.stringContaining('no longer offered') as unknown,
  });
  closeReview();

  fake.log = [];
  arrive();
  let end = (): void => undefined;
  fake.started = new Promise((resolve) => (end = resolve));
  const reviewing = reviewNext();
  await expect.poll(() => shown()?.phase).toBe('running');
  useAssistants.setState({ sessions: [] });
  end();
  await reviewing;
  expect([fake.log, shown()?.phase]).toEqual([['run true', 'rollback'], 'failed']);
});

test('an edit waits until a change that is kept without a question has been kept', async () => {
  arrive();
  await reviewNext();
  await keepReview(true);
  fake.log = [];
  let end = (): void => undefined;
  fake.started = new Promise((resolve) => (end = resolve));
  const next = arrive();
  const edited = afterDryRun('file:a').then(() => fake.log.push('edit'));
  await expect.poll(() => fake.log).toEqual(['run true']);
  end();
  await edited;
  expect(fake.log).toEqual(['run true', `${next} keeping`, 'commit', `${next} kept`, 'edit']);
});

test('later changes are kept without a question only in rows of the allowed tables, of the same session', async () => {
  arrive();
  await reviewNext();
  await keepReview(true);
  fake.log = [];
  const next = arrive();
  await expect.poll(() => fake.log).toEqual(['run true', `${next} keeping`, 'commit', `${next} kept`]);

  const other = { table: 'maker', inserted: 0, updated: 0, deleted: 1 };
  const asked = [
    { reply: { ...ROWS, tables: [...ROWS.tables, other], rows: 2 } },
    { reply: { ...ROWS, schema: true } },
    { reply: { ...ROWS, tables: [], rows: 5 } },
    { reply: { ...ROWS, rows: 2 } },
    { sql: 'UPDATE item SET a = 1; CREATE TABLE t (a)', reply: ROWS },
  ];
  for (const each of asked) {
    Object.assign(fake, { sql: 'UPDATE item SET a = 1', log: [], ...each });
    arrive();
    await expect.poll(() => fake.log).toEqual(['run true', 'rollback']);
  }
  Object.assign(fake, { sql: 'UPDATE item SET a = 1', reply: ROWS, log: [] });
  session++;
  arrive();
  await reviewNext();
  expect([fake.log, shown()?.phase]).toEqual([['run true'], 'open']);
});
