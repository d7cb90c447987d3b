// The engines of one run: each started when it is first needed, given up when it is silent for too long, restarted when it died, ended together.
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { BenchOperations, TestFacts } from '#shared/bench/protocol.ts';
import type { EngineFacts } from '#shared/bench/result.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { toErrorData } from '#shared/protocol/errors.ts';
import type { Client } from '#shared/rpc/client.ts';
import { plural } from '../../../ui/format.ts';
import type { NotMeasured } from './cells.ts';
import type { RunControl } from './target.ts';

export interface EnginePort {
  readonly engine: EngineId;
  readonly client: EngineCalls;
  /** Its worker or process has ended. */
  readonly isGone: boolean;
  /** It was ended because it did not answer: a whole sentence. Null: it was not. */
  readonly silence: string | null;
  /** Milliseconds since the last request. */
  takeBusyMs(): number;
}

/** Default, unless a plan sets another. Far longer than a step takes on any engine that works. */
export const TIMEOUT_SECONDS = 120;

export type EngineCalls = Pick<Client<BenchOperations, Record<string, never>>, 'call'>;

/** Each call has its own timeout, which restarts with each chunk. The `onSilence` callback must end the process that was called. */
export function withTimeout({ call }: EngineCalls, seconds: number, onSilence: () => void): EngineCalls {
  return {
    async call(op, params, options) {
      const wait = () => setTimeout(onSilence, seconds * 1_000);
      let timer = wait();
      try {
        return await call(op, params, {
          ...options,
          onChunk(chunk) {
            clearTimeout(timer);
            timer = wait();
            return options?.onChunk?.(chunk);
          },
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** “2 minutes” */
export const durationText = (seconds: number): string =>
  seconds % 60 === 0 ? plural(seconds / 60, 'minute') : plural(seconds, 'second');

/** Limit for one run: an engine that dies or has to be ended more often is not started again. */
const MOST_DEATHS = 3;

type Started =
  | { readonly port: EnginePort }
  /** Content of its cells. */
  | { readonly failure: NotMeasured };

export class StartedEngines {
  /** Facts that each engine reported about itself. */
  readonly facts: EngineFacts[] = [];
  readonly #control: RunControl;
  readonly #noteDeath: (what: string) => void;
  readonly #open: (engine: EngineId) => Promise<EnginePort>;
  readonly #engines = new Map<EngineId, Started>();
  readonly #deaths = new Map<EngineId, number>();
  readonly #tests = new Map<string, readonly TestFacts[]>();

  constructor(control: RunControl, noteDeath: (what: string) => void, open: (engine: EngineId) => Promise<EnginePort>) {
    this.#control = control;
    this.#noteDeath = noteDeath;
    this.#open = open;
  }

  async start(engine: EngineId): Promise<Started> {
    const known = this.#engines.get(engine);
    if (known && !('port' in known && known.port.isGone)) return known;
    const started = known ? await this.#startAnew(engine, known) : await this.#startOnce(engine);
    this.#engines.set(engine, started);
    return started;
  }

  async testsOf(port: EnginePort, suite: SuiteId): Promise<readonly TestFacts[]> {
    const key = `${port.engine} ${suite}`;
    const known = this.#tests.get(key) ?? (await this.#control.wait(port.client.call('suite.tests', { suite })));
    this.#tests.set(key, known);
    return known;
  }

  /** Size and compile time of each engine's code; determined outside all timing, because it keeps the machine busy. */
  async describeCode(tell: (what: string) => void): Promise<void> {
    for (const [engine, started] of this.#engines) {
      if (!('port' in started) || started.port.isGone) continue;
      tell(`size of ${engineOf(engine)!.label}`);
      const code = await this.#control.wait(started.port.client.call('driver.code', {})).catch(() => null);
      const at = this.facts.findIndex((known) => known.engine === engine);
      if (code && at >= 0) this.facts[at] = { ...this.facts[at]!, code };
    }
  }

  async end(): Promise<void> {
    for (const started of this.#engines.values()) {
      if (!('port' in started)) continue;
      await this.#control.wait(started.port.client.call('driver.end', {})).catch(() => undefined);
    }
  }

  async #startAnew(engine: EngineId, before: Started): Promise<Started> {
    const { label } = engineOf(engine)!;
    const deaths = (this.#deaths.get(engine) ?? 0) + 1;
    this.#deaths.set(engine, deaths);
    if (deaths > MOST_DEATHS) {
      return {
        failure: {
          status: 'failed',
          why: `${label} crashed or did not respond ${deaths} times in this run and is not restarted.`,
        },
      };
    }
    const isSilent = 'port' in before && before.port.silence !== null;
    this.#noteDeath(`${label} ${isSilent ? 'did not respond' : 'crashed'} and was restarted.`);
    return this.#startOnce(engine);
  }

  async #startOnce(engine: EngineId): Promise<Started> {
    let port: EnginePort | null = null;
    try {
      port = await this.#control.wait(this.#open(engine));
      const facts = await this.#control.wait(port.client.call('driver.start', {}));
      if (!this.facts.some((known) => known.engine === engine)) this.facts.push(facts);
      return { port };
    } catch (error) {
      const { code, message } = toErrorData(error);
      const status = code === 'unavailable' ? 'skipped' : code === 'stopped' ? 'stopped' : 'failed';
      const why = port?.silence ?? message;
      return { failure: { status, why, ...(status === 'skipped' && { engineIsMissing: true }) } };
    }
  }
}
