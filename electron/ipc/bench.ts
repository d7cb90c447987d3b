// Requests of a window that measures: engines, facts about the machine, and the options of the command line.
import type { AppStartOrder } from '#shared/bench/shell.ts';
import type { Bench } from '../bench/bench.ts';
import { describeMachine } from '../bench/machine.ts';
import { readMemory } from '../bench/memory.ts';
import { logDropped } from '../dropped.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

const NOT_ITS_TURN = 'Only the window that runs the benchmark can do this.';

export function serveBench({ answer }: TrustedIpc, windows: AppWindows, bench: Bench, native: NativeEngine): void {
  const { turn, engines, starts, secondWindow, job } = bench;
  /** The first window of this start, even after it is gone. */
  let jobWindow: AppWindow | null = null;
  const isJobs = (window: AppWindow): boolean => (jobWindow ??= windows.all[0] ?? null) === window;
  answer('bench.begin', (window) => turn.take(window));
  answer('bench.open', (window, engine) => engines.open(window, text(engine)));
  answer('bench.close', (window, engine) => engines.close(window, text(engine)));
  answer('bench.machine', () => describeMachine());
  answer('bench.job', (window) => (isJobs(window) ? (job?.job ?? null) : null));
  answer('bench.startApp', (window, order) =>
    turn.isOf(window) ? starts.start(window, orderOf(order)) : { why: NOT_ITS_TURN },
  );
  answer('bench.openWindow', (window) => (turn.isOf(window) ? secondWindow.open(window) : NOT_ITS_TURN));
  answer('bench.closeWindow', (window) => secondWindow.end(window));
  answer('bench.joinWindow', (window) => secondWindow.join(window));
  answer('bench.takeFiles', async (window) => {
    const owner = secondWindow.ownerOf(window);
    if (owner) await native.share(owner, window);
    else logDropped('bench.takeFiles', 'it is no second window');
  });
  answer('bench.memory', (window) => readMemory(window, native.pid ?? null));
  answer('bench.end', (window) => bench.end(window));
  answer('bench.follow', (window) => turn.follow(window));
  answer('bench.show', () => turn.show());
  answer('bench.tell', (window, told) => {
    const { text: words, share, secondsLeft } = (told ?? {}) as Record<string, unknown>;
    const left = secondsLeft === null ? null : Number(secondsLeft);
    const progress = { text: text(words), share: Number(share), secondsLeft: left };
    turn.tell(window, progress);
    if (isJobs(window)) job?.tell(progress);
  });
  answer('bench.done', (window, outcome) => {
    if (!isJobs(window)) {
      logDropped('bench.done', 'this window has no job');
      return null;
    }
    const { json, failure } = (outcome ?? {}) as Record<string, unknown>;
    job?.finish(typeof json === 'string' ? { json } : { failure: text(failure) });
  });
}

function orderOf(argument: unknown): AppStartOrder {
  const { profile, comparisonCopy, way, cold } = (argument ?? {}) as Record<string, unknown>;
  return {
    profile: text(profile),
    comparisonCopy: text(comparisonCopy),
    way: way === 'copy' ? 'copy' : 'in-place',
    cold: cold === true,
  };
}
