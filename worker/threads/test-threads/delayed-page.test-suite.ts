// Uses the work status buffer as the host page does, in a thread that loses time between its steps.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { WorkStatusBuffer } from '../work-status-buffer.ts';
import { WorkWatch } from '../work-watch.ts';
import type { BoardCase, FromDelayedWorker } from './delayed-worker.test-suite.ts';
import { loseTime } from './lose-time.test-suite.ts';

export interface BoardOutcome {
  readonly unheard: number;
  readonly unstopped: number;
  readonly wronglyStopped: number;
  /** Works that were reported with parts of another moment. */
  readonly torn: number;
  readonly told: number;
}

/** The real page looks every 50 ms; this one meets the worker more often. */
const LOOK_EVERY_MS = 4;

const { seed, works } = workerData as BoardCase;
const pause = loseTime(seed + 1);
const workStatus = new WorkStatusBuffer();
const worker = new Worker(new URL('./delayed-worker.test-suite.ts', import.meta.url), {
  workerData: { seed, works, memory: workStatus.memory },
});
const counts = { torn: 0, told: 0 };
const watch = new WorkWatch(workStatus, {
  // Everything runs long enough to be reported.
  now: () => Date.now() + 10_000,
  every(_intervalMs, look) {
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  },
  tell(running) {
    for (const { id, call, title, progress } of running) {
      counts.told++;
      const { phase = '', done = 0, total = 0 } = progress ?? {};
      const isWhole = progress === null || (phase === `${id} at ${done}` && total === done * 2);
      if (call !== id || !title.startsWith(`work ${id}`) || !isWhole) counts.torn++;
      if (title.endsWith('stop')) watch.stop(id);
      pause();
      worker.postMessage(id);
    }
  },
});
worker.on('message', (message: FromDelayedWorker) => {
  if (message.t === 'busy') return watch.wake();
  if (message.t === 'stop-call') return watch.stopCall('w', message.call);
  watch.end();
  const { unheard, unstopped, wronglyStopped } = message;
  parentPort!.postMessage({ unheard, unstopped, wronglyStopped, ...counts } satisfies BoardOutcome);
});
