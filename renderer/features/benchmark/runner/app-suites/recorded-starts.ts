// Starts of the app, each made once: what a start reports about the window and the rows serves two tests.
import type { EngineId } from '#shared/bench/engines.ts';
import type { AppStart, AppStartOrder, AppStartReply } from '#shared/bench/shell.ts';
import { AppError } from '#shared/protocol/index.ts';

export type Temperature = 'cold' | 'warm';

interface Recorded {
  readonly engine: EngineId;
  readonly temperature: Temperature;
  readonly start: AppStart;
}

type StartApp = (order: AppStartOrder) => Promise<AppStartReply>;

export class RecordedStarts {
  readonly #startApp: StartApp;
  /** The file that they open. */
  readonly #comparisonCopy: () => Promise<string>;
  readonly #recorded: Recorded[] = [];

  constructor(startApp: StartApp, comparisonCopy: () => Promise<string>) {
    this.#startApp = startApp;
    this.#comparisonCopy = comparisonCopy;
  }

  /** The start with this number, counted from 0; missing ones up to it are made. @throws AppError `unavailable` */
  async nth(engine: EngineId, temperature: Temperature, index: number): Promise<AppStart> {
    for (;;) {
      const own = this.#recorded.filter((each) => each.engine === engine && each.temperature === temperature);
      if (own.length > index) return own[index]!.start;
      const start = await this.#make(engine, temperature === 'cold');
      this.#recorded.push({ engine, temperature, start });
    }
  }

  async #make(engine: EngineId, cold: boolean): Promise<AppStart> {
    const isNative = engine.startsWith('native');
    const way = isNative ? 'in-place' : 'copy';
    const reply = await this.#startApp({ profile: engine, comparisonCopy: await this.#comparisonCopy(), way, cold });
    if ('why' in reply) throw new AppError({ code: 'unavailable', message: reply.why });
    if (reply.isNative !== isNative) {
      const message = isNative
        ? 'The app was started, and showed the rows without its native engine.'
        : 'The app was started, and its native engine ran although nothing was open in place.';
      throw new AppError({ code: 'internal', message });
    }
    return reply;
  }
}

/** The first warm start still compiles what no earlier start of this profile has. Cold ones are all alike. */
export const firstCounted = (temperature: Temperature): number => (temperature === 'cold' ? 0 : 1);
