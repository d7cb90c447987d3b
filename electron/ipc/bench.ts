// What a window asks for that measures: engines, facts about the machine, and the command line's wishes.
import type { BenchEngines } from '../bench/bench-engines.ts';
import type { CommandLineJob } from '../bench/job.ts';
import { describeMachine } from '../bench/machine.ts';
import { answer, hear, text } from '../security/trusted-ipc.ts';
import { appWindows } from '../windows/registry.ts';

/** @param job for the first window only */
export function serveBench(engines: BenchEngines, job: CommandLineJob | null): void {
  answer('bench.open', (window, engine) => engines.open(window, text(engine)));
  answer('bench.machine', () => describeMachine());
  answer('bench.job', (window) => (appWindows()[0] === window ? (job?.job ?? null) : null));
  hear('bench.end', (window) => engines.end(window));
  hear('bench.tell', (_window, progress) => {
    const { text: words, share, secondsLeft } = (progress ?? {}) as Record<string, unknown>;
    job?.tell({
      text: text(words),
      share: Number(share),
      secondsLeft: secondsLeft === null ? null : Number(secondsLeft),
    });
  });
  hear('bench.done', (_window, outcome) => {
    const { json, failure } = (outcome ?? {}) as Record<string, unknown>;
    job?.finish(typeof json === 'string' ? { json } : { failure: text(failure) });
  });
}
