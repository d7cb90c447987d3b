// Uses the work status buffer as the worker does, in a thread that loses time between its steps: works begin, run and end, and each waits
// until the page has seen it, or has stopped it.
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createRandom } from '#shared/random.ts';
import { WorkMonitor } from '../../sessions/work-monitor.ts';
import type { RunningWork, WorkTitle } from '../../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../work-status-buffer.ts';
import { loseTime } from './lose-time.test-suite.ts';

export interface BoardCase {
  readonly seed: number;
  readonly works: number;
}

export type FromDelayedWorker =
  | { readonly t: 'busy' }
  /** Asks for a stop, whether its work has begun or not. */
  | { readonly t: 'stop-call'; readonly call: number }
  | { readonly t: 'done'; readonly unheard: number; readonly unstopped: number; readonly wronglyStopped: number };

/** Far longer than the page ever takes, and short enough that a failure does not look like a hang. */
const GIVE_UP_MS = 30_000;

const { seed, works, memory } = workerData as BoardCase & { readonly memory: SharedArrayBuffer };
const pause = loseTime(seed);
const random = createRandom(seed);
const tell = (message: FromDelayedWorker): void => {
  pause();
  parentPort!.postMessage(message);
  pause();
};
const monitor = new WorkMonitor(new WorkStatusBuffer(memory), { now: () => performance.now() } as never, () =>
  tell({ t: 'busy' }),
);
const heard = new Set<number>();
parentPort!.on('message', (id: number) => heard.add(id));

async function comes(isThere: () => boolean): Promise<boolean> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!isThere() && performance.now() < giveUpAt) await setTimeout(0);
  return isThere();
}

const counts = { unheard: 0, unstopped: 0, wronglyStopped: 0 };

/** Says nothing more once it runs, as one long statement. */
async function runSilently(running: RunningWork, id: number): Promise<void> {
  running.resumes();
  if (!(await comes(() => heard.has(id)))) counts.unheard++;
  if (running.stopRequested) counts.wronglyStopped++;
}

/** Numbers and texts that the page can tell to belong together. */
async function runTalking(running: RunningWork, id: number): Promise<void> {
  running.resumes();
  for (let done = 0; !heard.has(id) && done < 1000; done++) {
    running.show({ phase: `${id} at ${done}`, done, total: done * 2, unit: 'rows' });
    await setTimeout(0);
  }
  if (!(await comes(() => heard.has(id)))) counts.unheard++;
  if (running.stopRequested) counts.wronglyStopped++;
}

async function runStopped(running: RunningWork): Promise<void> {
  running.resumes();
  if (!(await comes(() => running.stopRequested))) counts.unstopped++;
}

for (let id = 1; id <= works; id++) {
  const kind = random.pick(['silent', 'talking', 'stopped', 'stopped early'] as const);
  const title: WorkTitle = {
    window: { windowId: 'w', windowTitle: 'Window' } as never,
    databaseName: 'a',
    title: `work ${id}${kind === 'stopped' ? ', stop' : ''}`,
    call: id,
  };
  if (kind === 'stopped early') tell({ t: 'stop-call', call: id });
  const running = monitor.begin(title);
  if (kind === 'silent') await runSilently(running, id);
  else if (kind === 'talking') await runTalking(running, id);
  else await runStopped(running);
  running.end();
  // Aims at the moment in which the page stops looking.
  if (random.chance(0.7)) await setTimeout(random.between(0, 12));
}
tell({ t: 'done', ...counts });
