// The owner of a file that has it inspected, in a thread that loses time between its steps.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { Inspection } from '../../inspector/inspection.ts';
import type { InspectorLike } from '../../inspector/inspection.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { loseTime } from './lose-time.test-suite.ts';

export interface InspectedCase {
  readonly seed: number;
  readonly bytes: Uint8Array;
  /** Milliseconds after its first request at which it is ended. */
  readonly endAfterMs?: number;
  /** Wakes the inspector at any time, as a late wake-up does. */
  readonly strayWakes?: boolean;
}

export interface InspectedOutcome {
  readonly messages: readonly string[] | null;
  /** Code of the error. */
  readonly code: string | null;
  readonly requests: number;
  readonly requestsAfterEnd: number;
}

const { seed, bytes, endAfterMs, strayWakes } = workerData as InspectedCase;
const pause = loseTime(seed);
let requests = 0;
let requestsAfterEnd = 0;
let hasEnded = false;
let firstRequest = (): void => undefined;
const reading = new Promise<void>((resolve) => (firstRequest = resolve));
const thread = new Worker(new URL('./delayed-inspector.test-suite.ts', import.meta.url), { workerData: seed + 1 });
const gone = once(thread, 'exit');
let wakes: ReturnType<typeof setInterval> | undefined;

const inspector: InspectorLike = {
  onmessage: null,
  onerror: null,
  onmessageerror: null,
  postMessage(order) {
    thread.postMessage(order);
    const words = new Int32Array(order.shared, 0, 2);
    const wake = (): unknown => [0, 1].map((word) => Atomics.notify(words, word));
    if (strayWakes) wakes = setInterval(wake, 1);
  },
  terminate: () => void thread.terminate(),
};
thread.on('message', (data) => inspector.onmessage?.({ data } as MessageEvent));
thread.on('error', () => inspector.onerror?.(undefined as never));

const inspection = new Inspection(
  {
    fileSizeBytes: bytes.length,
    readFile(offset, length) {
      requests++;
      if (hasEnded) requestsAfterEnd++;
      firstRequest();
      pause();
      return bytes.slice(offset, offset + length);
    },
  },
  'integrity',
  () => inspector,
);
if (endAfterMs !== undefined) {
  await reading;
  await setTimeout(endAfterMs);
  inspection.end();
  hasEnded = true;
}
const outcome = await inspection.result.then(
  ({ messages }) => ({ messages, code: null }),
  (thrown: unknown) => ({ messages: null, code: toAppError(thrown).code }),
);
// An inspector that is left waiting would never end.
await gone;
clearInterval(wakes);
parentPort!.postMessage({ ...outcome, requests, requestsAfterEnd } satisfies InspectedOutcome);
