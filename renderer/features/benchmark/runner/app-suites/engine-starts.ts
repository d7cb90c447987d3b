// Starts of engines in the running app, each made once: what a start reports about the engine and its code serves two tests.
import type { EngineId } from '#shared/bench/engines.ts';
import type { RunControl } from '../control.ts';
import type { RoundKind } from '../target.ts';

/** Durations in milliseconds. */
export interface EngineStart {
  readonly ms: number;
  /** The part of `ms` that its code took. */
  readonly codeMs: number;
}

type StartEngine = (engine: EngineId, control: RunControl) => Promise<EngineStart>;

/** Starts the engine, or returns a start of this kind that another test has made already. @throws AppError `unavailable` */
export type TakeStart = (kind: RoundKind, control: RunControl) => Promise<EngineStart>;

export class EngineStarts {
  readonly #start: StartEngine;
  readonly #made = new Map<string, EngineStart[]>();

  constructor(start: StartEngine) {
    this.#start = start;
  }

  /** For one test: its first start of a kind is the first one of every test, and so on. One test may warm up longer than another. */
  taker(engine: EngineId): TakeStart {
    const taken = new Map<RoundKind, number>();
    return async (kind, control) => {
      const index = taken.get(kind) ?? 0;
      taken.set(kind, index + 1);
      const key = `${engine} ${kind}`;
      const made = this.#made.get(key) ?? [];
      this.#made.set(key, made);
      while (made.length <= index) made.push(await this.#start(engine, control));
      return made[index]!;
    };
  }
}
