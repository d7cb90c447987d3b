import { expect, it, vi } from 'vitest';
import { encryptedId, QUERY_LOG_LIMITS } from '#shared/protocol/index.ts';
import { recordRun } from './recorded-run.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn(async () => ({ id: 1 })) }));
vi.mock('../../connection/database-client.ts', () => ({ client: { call, on: () => () => undefined } }));

it('sends of a long text only what is kept, and its length', () => {
  const text = 'SELECT 1;'.repeat(100_000);
  recordRun('db', text, {});
  const run = { sql: text.slice(0, QUERY_LOG_LIMITS.textChars), chars: 900_000 };
  expect(call).toHaveBeenCalledWith('queryLog.begin', { run: expect.objectContaining(run) });
});

it('keeps no values of an encrypted file: neither parameters nor what a trigger says', async () => {
  call.mockClear();
  const parameters = { ':name': { type: 'text', text: 'Ann' } } as const;
  const error = { code: 'constraint', message: 'Ann has open orders.' } as const;
  for (const database of ['db', encryptedId('a1')]) {
    const ended = recordRun(database, 'DELETE FROM t WHERE name = :name', parameters);
    ended({ error } as never, []);
  }
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(4));
  const sent = (call.mock.calls as unknown as [string, object][]).map(([, params]) => params);
  expect(sent).toMatchObject([
    { run: { parameters } },
    { run: { parameters: {} } },
    { end: { outcome: 'failed', error: error.message } },
    { end: { outcome: 'failed', error: null } },
  ]);
});

it('does not record a text without a statement', () => {
  call.mockClear();
  recordRun('db', ' \n\t\u00a0', {});
  expect(call).not.toHaveBeenCalled();
});
