// A fake engine: it answers when the test lets it, and the test controls the clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeliveredChunk, TestFacts } from '#shared/bench/protocol.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { RunControl } from './target.ts';
import { EngineTarget } from './engine-target.ts';
import { TIMEOUT_SECONDS, withTimeout, durationText } from './started-engines.ts';
import type { EnginePort, EngineCalls } from './started-engines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CHUNK: DeliveredChunk = { form: 'json', text: '[]' };

function made(seconds: number) {
  let answer!: () => void;
  let send!: (chunk: DeliveredChunk) => unknown;
  let silences = 0;
  const call = ((_op: string, _params: object, options?: { onChunk?: (chunk: DeliveredChunk) => unknown }) => {
    send = (chunk) => options?.onChunk?.(chunk);
    return new Promise<null>((resolve) => (answer = () => resolve(null)));
  }) as EngineCalls['call'];
  const calls = withTimeout({ call }, seconds, () => silences++);
  return { calls, answer: () => answer(), send: () => send(CHUNK), silences: () => silences };
}

test('who answers in time is never given up, however long it takes with chunks on the way', async () => {
  const { calls, answer, send, silences } = made(TIMEOUT_SECONDS);
  const chunks: DeliveredChunk[] = [];
  const reply = calls.call('test.deliver', {}, { onChunk: (chunk) => void chunks.push(chunk) });
  for (let part = 0; part < 3; part++) {
    vi.advanceTimersByTime(TIMEOUT_SECONDS * 1_000 - 1);
    send();
  }
  answer();
  expect(await reply).toBeNull();
  expect(chunks).toHaveLength(3);
  vi.advanceTimersByTime(TIMEOUT_SECONDS * 2_000);
  expect(silences()).toBe(0);
});

test('who does not answer is given up once, when its time is over', () => {
  const { calls, silences } = made(5);
  void calls.call('test.check', {});
  vi.advanceTimersByTime(4_999);
  expect(silences()).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(silences()).toBe(1);
});

test('the cell says how long it was waited for', async () => {
  const silence = `Sidelite, memory did not respond for ${durationText(120)}, so it was stopped and its worker ended.`;
  const gone = async (): Promise<never> => {
    throw new AppError({ code: 'disconnected', message: 'Gone.' });
  };
  const port = { engine: 'memory', client: { call: gone }, silence, isGone: true } as unknown as EnginePort;
  const unit = {
    suite: 'rtt',
    size: 100,
    tests: [{ id: 't', unavailable: null } as TestFacts],
    sequence: null,
  } as const;
  const load = { seed: 1, profile: 'balanced' } as const;
  const target = new EngineTarget(port, { unit, control: new RunControl(), load });
  expect(await target.round('timed', 1)).toEqual({
    parts: [],
    failure: {
      test: 't',
      status: 'failed',
      why: 'Sidelite, memory did not respond for 2 minutes, so it was stopped and its worker ended. It is restarted for the next test.',
    },
  });
});
