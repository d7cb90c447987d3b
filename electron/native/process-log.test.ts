import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { beforeEach, expect, it, vi } from 'vitest';
import { log } from '../crash.ts';
import { logLinesOf } from './process-log.ts';

vi.mock('../crash.ts', () => ({ log: vi.fn<(line: string) => void>() }));
const lines = (): string[] => vi.mocked(log).mock.calls.map(([line]) => line);
beforeEach(() => void vi.mocked(log).mockClear());

async function print(...chunks: (string | Uint8Array)[]): Promise<void> {
  const stream = new PassThrough();
  logLinesOf(stream, 'engine');
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
}

it('lines are kept whole, however they arrive, the last one without its end too', async () => {
  const bytes = new TextEncoder().encode('grün\n');
  await print('first li', 'ne\r\n\nsecond\n', bytes.subarray(0, 3), bytes.subarray(3), 'last');
  expect(lines()).toEqual(['engine: first line', 'engine: second', 'engine: grün', 'engine: last']);
});

it('neither a line without an end nor a process that never stops printing fills the log', async () => {
  await print(...Array.from({ length: 50 }, () => 'x'.repeat(100_000)), '\n');
  expect(lines()).toEqual([`engine: ${'x'.repeat(1000)}`]);
  vi.mocked(log).mockClear();
  await print(...Array.from({ length: 1000 }, (_, at) => `line ${at}\n`));
  expect(lines()).toHaveLength(201);
  expect(lines().slice(-2)).toEqual(['engine: line 199', 'engine has printed 200 lines; what follows is not kept']);
});
