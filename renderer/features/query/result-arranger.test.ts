import { beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { ResultArrangement } from '#shared/protocol/index.ts';
import { PLAIN_ARRANGEMENT, type QueryResult } from './query-view.ts';
import { ResultArranger } from './result-arranger.ts';

interface Asked {
  readonly arrangement: ResultArrangement;
  readonly signal: AbortSignal;
  answer(rows: number): void;
  fail(error: unknown): void;
}

const { asked, failures } = vi.hoisted(() => ({ asked: [] as unknown as Asked[], failures: [] as unknown[] }));
vi.mock('../../state/databases.ts', () => ({ notifyFailure: (error: unknown) => failures.push(error) }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call: (_op: string, { arrangement }: { arrangement: ResultArrangement }, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const fail = reject;
        signal.addEventListener('abort', () => fail(new AppError({ code: 'stopped', message: 'Stopped.' })));
        asked.push({ arrangement, signal, answer: (rows) => resolve({ rows, total: 9 }), fail });
      }),
  },
}));

const sorted = (column: number): ResultArrangement => ({ ...PLAIN_ARRANGEMENT, sort: [{ column, descending: false }] });

let result: QueryResult;
let grown: unknown[];
const arranger = new ResultArranger({
  results: () => [result],
  patch: (_id, patch) => (result = { ...result, ...patch }),
});

beforeEach(() => {
  asked.length = failures.length = 0;
  grown = [];
  const source = { reader: 5, grow: (extent: unknown) => grown.push(extent) };
  result = { id: 1, rows: 9, arrangement: PLAIN_ARRANGEMENT, source } as unknown as QueryResult;
});

test('shows the wanted order at once, and the rows that are left when they are there', async () => {
  const done = arranger.arrange(result, sorted(0));
  expect(result.arrangement).toEqual(sorted(0));
  asked[0]!.answer(4);
  await done;
  expect(result.rows).toBe(4);
  expect(grown).toEqual([{ rows: 4, exact: true }]);
});

test('only the last request counts, and Stop goes back to the order before the first', async () => {
  const first = arranger.arrange(result, sorted(0));
  const second = arranger.arrange(result, sorted(1));
  expect(asked[0]!.signal.aborted).toBe(true);
  await first;
  expect(result.arrangement).toEqual(sorted(1));
  asked[1]!.fail(new AppError({ code: 'stopped', message: 'Stopped.' }));
  await second;
  expect(result.arrangement).toEqual(PLAIN_ARRANGEMENT);
  expect(failures).toEqual([]);
});

test('says why the rows cannot be sorted', async () => {
  const done = arranger.arrange(result, sorted(0));
  const error = new AppError({ code: 'full', message: 'Too long.' });
  asked[0]!.fail(error);
  await done;
  expect(result.arrangement).toEqual(PLAIN_ARRANGEMENT);
  expect(failures).toEqual([error]);
});
