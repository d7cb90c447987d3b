// What a window asks for that measures: engines, facts about the machine, and the command line's wishes.
import type { AppStartOrder } from '#shared/bench/shell.ts';
import type { AppStarts } from '../bench/app-starts.ts';
import type { BenchEngines } from '../bench/bench-engines.ts';
import type { CommandLineJob } from '../bench/job.ts';
import { describeMachine } from '../bench/machine.ts';
import { readMemory } from '../bench/memory.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { answer, hear, text } from '../security/trusted-ipc.ts';
import { appWindows } from '../windows/registry.ts';

export interface BenchParts {
  readonly engines: BenchEngines;
  readonly starts: AppStarts;
  readonly native: NativeEngine;
  /** For the first window only. */
  readonly job: CommandLineJob | null;
}

export function serveBench({ engines, starts, native, job }: BenchParts): void {
  answer('bench.open', (window, engine) => engines.open(window, text(engine)));
  answer('bench.machine', () => describeMachine());
  answer('bench.job', (window) => (appWindows()[0] === window ? (job?.job ?? null) : null));
  answer('bench.startApp', (window, order) => starts.start(window, orderOf(order)));
  answer('bench.memory', (window) => readMemory(window, native.pid ?? null));
  hear('bench.end', (window) => {
    engines.end(window);
    starts.end(window);
  });
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

function orderOf(argument: unknown): AppStartOrder {
  const { profile, twin, way, cold } = (argument ?? {}) as Record<string, unknown>;
  return { profile: text(profile), twin: text(twin), way: way === 'copy' ? 'copy' : 'in-place', cold: cold === true };
}
