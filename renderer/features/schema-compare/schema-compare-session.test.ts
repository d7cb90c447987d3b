import { expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { openTab } from '../../state/store.ts';
import { NO_SIDE, type ComparedSide, type SchemaCompareTab } from '../../workbench/tabs/schema-compare.ts';
import { SchemaCompareSession } from './schema-compare-session.ts';

interface Asked {
  readonly op: string;
  readonly params: { readonly database: string };
  answer(reply: unknown): void;
}

const { asked } = vi.hoisted(() => ({ asked: [] as unknown as Asked[] }));
vi.mock('../../state/databases.ts', () => ({ ensureOpen: async () => true, notifyFailure: () => undefined }));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../../workbench/databases/comparison-copies.ts', () => ({}));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call: (op: string, params: Asked['params'], options?: { signal?: AbortSignal }) =>
      new Promise((resolve, reject) => {
        options?.signal?.addEventListener('abort', () =>
          reject(new AppError({ code: 'stopped', message: 'Stopped.' })),
        );
        asked.push({ op, params, answer: resolve });
      }),
    on: () => () => undefined,
    onReconnected: () => () => undefined,
  },
}));

const side = (database: string): ComparedSide => ({ database, file: null, before: null });
const schema = { objects: [], settings: {} };
const reads = (): string[] => asked.filter(({ op }) => op === 'schema.text').map(({ params }) => params.database);

async function openSession(): Promise<SchemaCompareSession> {
  asked.length = 0;
  const fields = { kind: 'schema-compare', database: null, from: side('a'), to: side('b'), meaningOnly: true };
  const id = openTab(fields as unknown as Parameters<typeof openTab>[0]);
  const session = new SchemaCompareSession({ ...fields, id } as unknown as SchemaCompareTab);
  await expect.poll(() => reads()).toEqual(['a', 'b']);
  return session;
}

test('swapping the sides while one is being read keeps the one that was read', async () => {
  const session = await openSession();
  asked[0]!.answer(schema);
  await expect.poll(() => session.useView.getState().from.schema).toBe(schema);
  session.refresh();
  await expect.poll(() => reads()).toEqual(['a', 'b', 'a', 'b']);
  session.swap();
  // Both were being read, so both are read again, each on its new side.
  await expect.poll(() => reads().slice(4)).toEqual(['b', 'a']);
  const { from, to } = session.useView.getState();
  expect(to).toMatchObject({ schema, failure: null });
  expect(from).toMatchObject({ schema: null, failure: null });
});

test('a side that is chosen away while it is being read stays empty', async () => {
  const session = await openSession();
  session.choose('to', NO_SIDE);
  await new Promise((resolve) => setImmediate(resolve));
  expect(session.useView.getState().to).toEqual({ schema: null, notes: [], failure: null, reading: null });
});
