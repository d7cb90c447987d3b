import { expect, it, vi } from 'vitest';
import { QUERY_LOG_LIMITS } from '#shared/protocol/index.ts';
import { recordRun } from './recorded-run.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn(async () => ({ id: 1 })) }));
vi.mock('../../connection/database-client.ts', () => ({ client: { call, on: () => () => undefined } }));

it('sends of a long text only what is kept, and its length', () => {
  const text = 'SELECT 1;'.repeat(100_000);
  recordRun('db', text, {});
  const run = { sql: text.slice(0, QUERY_LOG_LIMITS.textChars), chars: 900_000 };
  expect(call).toHaveBeenCalledWith('queryLog.begin', { run: expect.objectContaining(run) });
});

it('does not record a text without a statement', () => {
  call.mockClear();
  recordRun('db', ' \n\t\u00a0', {});
  expect(call).not.toHaveBeenCalled();
});
