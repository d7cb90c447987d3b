// Starts of the app, and of engines in the running app, each made once: what a start reports serves two tests.
import type { EngineId } from '#shared/bench/engines.ts';
import type { AppStart, AppStartOrder, AppStartReply } from '#shared/bench/shell.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { RunControl, RoundKind } from '../target.ts';
import { seen, isColdStart } from './app-tests.ts';
import type { Player, StartTest } from './app-tests.ts';

/** The start with this number, counted from 0; missing ones up to it are made. */
class Starts<Start> {
  readonly #made = new Map<string, Start[]>();

  async nth(key: string, index: number, start: () => Promise<Start>): Promise<Start> {
    const made = this.#made.get(key) ?? [];
    this.#made.set(key, made);
    while (made.length <= index) made.push(await start());
    return made[index]!;
  }
}

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
  readonly #starts = new Starts<EngineStart>();

  constructor(start: StartEngine) {
    this.#start = start;
  }

  /** For one test: its first start of a kind is the first one of every test, and so on. One test may warm up longer than another. */
  taker(engine: EngineId): TakeStart {
    const taken = new Map<RoundKind, number>();
    return (kind, control) => {
      const index = taken.get(kind) ?? 0;
      taken.set(kind, index + 1);
      return this.#starts.nth(`${engine} ${kind}`, index, () => this.#start(engine, control));
    };
  }
}

type Temperature = 'cold' | 'warm';
type StartApp = (order: AppStartOrder) => Promise<AppStartReply>;

export class AppStarts {
  readonly #startApp: StartApp;
  /** The file that they open. */
  readonly #comparisonCopy: () => Promise<string>;
  readonly #starts = new Starts<AppStart>();

  constructor(startApp: StartApp, comparisonCopy: () => Promise<string>) {
    this.#startApp = startApp;
    this.#comparisonCopy = comparisonCopy;
  }

  /** @throws AppError `unavailable` */
  nth(engine: EngineId, temperature: Temperature, index: number): Promise<AppStart> {
    return this.#starts.nth(`${engine} ${temperature}`, index, () => this.#make(engine, temperature === 'cold'));
  }

  async #make(engine: EngineId, cold: boolean): Promise<AppStart> {
    const isNative = engine.startsWith('native');
    const way = isNative ? 'in-place' : 'copy';
    const reply = await this.#startApp({ profile: engine, comparisonCopy: await this.#comparisonCopy(), way, cold });
    if ('why' in reply) throw AppError.unavailable(reply.why);
    if (reply.isNative !== isNative) {
      const message = isNative
        ? 'The app was started, and showed the rows without its native engine.'
        : 'The app was started, and its native engine ran although nothing was open in place.';
      throw AppError.internal(message);
    }
    return reply;
  }
}

/**
 * The tests of the window and of the rows take the same starts, so that their figures can be compared. Because a start takes long,
 * starts before the timed rounds count as well, if they are as good as the others. The started window may cover this one.
 */
export function startPlayer(test: StartTest, engine: EngineId, starts: AppStarts, control: RunControl): Player {
  const temperature = isColdStart(test) ? 'cold' : 'warm';
  // The first warm start still compiles what no earlier start of this profile has. Cold ones are all alike.
  let counted = temperature === 'cold' ? 0 : 1;
  return {
    needsScreen: false,
    async play(_round, kind) {
      const index = kind === 'first' ? 0 : kind === 'warm' ? 1 : counted++;
      const { windowMs, rowsMs } = await control.wait(starts.nth(engine, temperature, index));
      return seen(test.startsWith('window') ? windowMs : rowsMs);
    },
    /** Passes on the texts of the first row on screen. */
    async compare(_round, sink) {
      const { firstRow } = await control.wait(starts.nth(engine, temperature, 0));
      for (const text of firstRow) sink.value(text);
      sink.endRow();
    },
  };
}
