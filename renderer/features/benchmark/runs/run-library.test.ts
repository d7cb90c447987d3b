// Runs on their way into the library, from this window and from files.
import { beforeEach, expect, test, vi } from 'vitest';
import { madeResult } from '#shared/bench/made-result.test-suite.ts';
import type { OpenedFile } from '#shared/shell-api.ts';

const fake = vi.hoisted(() => ({ calls: [] as [string, unknown][], bytes: new Uint8Array(0) }));
vi.mock('../../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onReconnected: () => () => undefined,
    call: async (op: string, params: { readonly id?: string | null }) => {
      fake.calls.push([op, params]);
      if (op === 'benchmark.import') return { bytes: fake.bytes, fileName: 'theirs.json' };
      return op === 'benchmark.list' ? [] : { id: params.id ?? 'run 1' };
    },
  },
}));
const { importRun, readRun, saveRun } = await import('./run-library.ts');

const RESULT = madeResult([{ suite: 'rtt', test: 'a', size: 100, times: { memory: 3, 'native-memory': 2 } }]);
const FILE = { token: 't' } as OpenedFile;
const opsOf = (): readonly string[] => fake.calls.map(([op]) => op);

beforeEach(() => {
  fake.calls.length = 0;
});

test('a result from a file is kept as it was written, with the name of its file', async () => {
  fake.bytes = new TextEncoder().encode(JSON.stringify(RESULT));
  await importRun(FILE);
  const [, saved] = fake.calls.find(([op]) => op === 'benchmark.save')!;
  const { run } = saved as { readonly run: { readonly origin: string; readonly json: string } };
  expect([run.origin, JSON.parse(run.json)]).toEqual(['theirs.json', RESULT]);
});

test.each([
  ['{', /not JSON/],
  [JSON.stringify({ ...RESULT, schema: 2 }), /schema 2/],
  [JSON.stringify({ ...RESULT, env: { ...RESULT.env, events: 5 } }), /env\.events/],
])('what is no result is refused, and nothing is kept (%#)', async (text, why) => {
  fake.bytes = new TextEncoder().encode(text);
  await expect(importRun(FILE)).rejects.toThrow(why);
  expect(opsOf()).toEqual(['benchmark.import']);
});

test('a run that was just saved is shown without being read again', async () => {
  await saveRun('run 7', RESULT);
  expect(await readRun('run 7')).toBe(RESULT);
  expect(opsOf()).not.toContain('benchmark.read');
});
