// Starts of the app, and of engines in the running app, each made once: what a start reports serves two tests.
import type { EngineId } from '#shared/bench/engines.ts';
import type { AppStart, AppStartOrder, AppStartReply } from '#shared/bench/shell.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { RunControl, RoundKind } from '../target.ts';
import { seen, isColdStart } from './app-tests.ts';
import type { Player, StartTest } from './app-tests.ts';

/** The start with this number, counted from 0; missing ones up to it are made. */
function madeOnce<Start>(): (key: string, index: number, start: () => Promise<Start>) => Promise<Start> {
  const all = new Map<string, Start[]>();
  return async (key, index, start) => {
    const made = all.get(key) ?? [];
    all.set(key, made);
    while (made.length <= index) made.push(await start());
    return made[index]!;
  };
}

export interface EngineStart {
  readonly ms: number;
  /** The part of `ms` that its code took. */
  readonly codeMs: number;
}

/** Starts the engine, or returns a start of this kind that another test has made already. @throws AppError `unavailable` */
export type TakeStart = (kind: RoundKind, control: RunControl) => Promise<EngineStart>;

/** For one test of an engine: its first start of a kind is the first one of every test, and so on. One test may warm up longer than another. */
export function engineStarts(
  start: (engine: EngineId, control: RunControl) => Promise<EngineStart>,
): (engine: EngineId) => TakeStart {
  const nth = madeOnce<EngineStart>();
  return (engine) => {
    const taken = new Map<RoundKind, number>();
    return (kind, control) => {
      const index = taken.get(kind) ?? 0;
      taken.set(kind, index + 1);
      return nth(`${engine} ${kind}`, index, () => start(engine, control));
    };
  };
}

type Temperature = 'cold' | 'warm';

/** @throws AppError `unavailable` */
export type AppStarts = (engine: EngineId, temperature: Temperature, index: number) => Promise<AppStart>;

/** @param comparisonCopy the file that they open */
export function appStarts(
  start: (order: AppStartOrder) => Promise<AppStartReply>,
  comparisonCopy: () => Promise<string>,
): AppStarts {
  const nth = madeOnce<AppStart>();
  const make = async (engine: EngineId, cold: boolean): Promise<AppStart> => {
    const isNative = engine.startsWith('native');
    const way = isNative ? 'in-place' : 'copy';
    const reply = await start({ profile: engine, comparisonCopy: await comparisonCopy(), way, cold });
    if ('why' in reply) throw AppError.unavailable(reply.why);
    if (reply.isNative === isNative) return reply;
    throw AppError.internal(
      isNative
        ? 'The app was started, and showed the rows without its native engine.'
        : 'The app was started, and its native engine ran although nothing was open in place.',
    );
  };
  return (engine, temperature, index) =>
    nth(`${engine} ${temperature}`, index, () => make(engine, temperature === 'cold'));
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
      const { windowMs, rowsMs } = await control.wait(starts(engine, temperature, index));
      return seen(test.startsWith('window') ? windowMs : rowsMs);
    },
    /** Passes on the texts of the first row on screen. */
    async compare(_round, sink) {
      const { firstRow } = await control.wait(starts(engine, temperature, 0));
      for (const text of firstRow) sink.value(text);
      sink.endRow();
    },
  };
}
