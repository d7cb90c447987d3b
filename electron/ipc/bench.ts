// What a window asks for that measures: engines, facts about the machine, and the command line's wishes.
import type { AppStartOrder } from '#shared/bench/shell.ts';
import type { Bench } from '../bench/bench.ts';
import { describeMachine } from '../bench/machine.ts';
import { readMemory } from '../bench/memory.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { answer, hear, text } from '../security/trusted-ipc.ts';
import { appWindows } from '../windows/registry.ts';
import type { AppWindow } from '../windows/registry.ts';

export function serveBench(bench: Bench, native: NativeEngine): void {
  const { turn, engines, starts, secondWindow, job } = bench;
  const isJobs = (window: AppWindow): boolean => appWindows()[0] === window;
  answer('bench.begin', (window) => turn.take(window));
  answer('bench.open', (window, engine) => engines.open(window, text(engine)));
  answer('bench.machine', () => describeMachine());
  answer('bench.job', (window) => (isJobs(window) ? (job?.job ?? null) : null));
  answer('bench.startApp', (window, order) => starts.start(window, orderOf(order)));
  answer('bench.openWindow', (window) => secondWindow.open(window));
  hear('bench.closeWindow', (window) => secondWindow.end(window));
  hear('bench.joinWindow', (window) => secondWindow.join(window));
  answer('bench.memory', (window) => readMemory(window, native.pid ?? null));
  hear('bench.end', (window) => bench.end(window));
  hear('bench.follow', (window) => turn.follow(window));
  hear('bench.show', () => turn.show());
  hear('bench.tell', (window, told) => {
    const { text: words, share, secondsLeft } = (told ?? {}) as Record<string, unknown>;
    const left = secondsLeft === null ? null : Number(secondsLeft);
    const progress = { text: text(words), share: Number(share), secondsLeft: left };
    turn.tell(window, progress);
    if (isJobs(window)) job?.tell(progress);
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
