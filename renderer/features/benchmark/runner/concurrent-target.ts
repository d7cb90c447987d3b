// An engine in a round in which readers run beside a writer: one run, from which each test reports one side.
import type { BenchOperations, ConcurrentFacts, LoadedTest, TestFacts } from '#shared/bench/protocol.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Target, PartFacts, PartSample, RoundKind, RoundOutcome } from './target.ts';
import { failureOf } from './engine-target.ts';
import type { EngineTargetOptions } from './engine-target.ts';
import type { EnginePort } from './engine-port.ts';

const MICROSECONDS = 1_000;

export class ConcurrentTarget implements Target {
  readonly facts = new Map<string, PartFacts>();
  readonly #port: EnginePort;
  readonly #options: EngineTargetOptions;
  #loaded: LoadedTest | null = null;

  constructor(port: EnginePort, options: EngineTargetOptions) {
    this.#port = port;
    this.#options = options;
  }

  get engine(): Target['engine'] {
    return this.#port.engine;
  }

  async round(kind: RoundKind): Promise<RoundOutcome> {
    try {
      return { parts: await this.#parts(kind), failure: null };
    } catch (error) {
      return { parts: [], failure: failureOf(error, this.#options.unit.tests[0]!, this.#port) };
    }
  }

  async close(): Promise<void> {
    await this.#call('database.close', {}).catch(() => undefined);
  }

  async #parts(kind: RoundKind): Promise<readonly PartSample[]> {
    const { unit, load } = this.#options;
    const [first] = unit.tests;
    if (first!.unavailable !== null) throw new AppError({ code: 'unavailable', message: first!.unavailable });
    // All tests of the unit have the same program.
    this.#loaded ??= await this.#call('test.load', { suite: unit.suite, test: first!.id, size: unit.size, ...load });
    const prepared = await this.#call('test.prepare', { fresh: true });
    const run = await this.#call('test.concurrent', {});
    const check = await this.#call('test.check', {});
    const { statements, rows } = this.#loaded;
    for (const { id, transaction } of unit.tests) {
      const { pragmas, differences } = prepared;
      const { fileBytes, heapBytes } = check;
      const own = { statements, rows, pragmas, differences, fileBytes, heapBytes };
      this.facts.set(id, { ...own, transaction: `${transaction} ${run.way}` });
    }
    return unit.tests.map((test) => ({
      test: test.id,
      samples: kind === 'deep' ? [] : samplesOf(test, run),
      timedMs: run.elapsedMs / unit.tests.length,
      delivered: [],
      windowBusyMs: [],
      rows: null,
      read: null,
      left: check.checksum,
      wrong: run.wrong ?? check.wrong,
    }));
  }

  #call<K extends keyof BenchOperations>(
    op: K,
    params: BenchOperations[K]['params'],
  ): Promise<BenchOperations[K]['reply']> {
    return this.#options.control.wait(this.#port.client.call(op, params as never)) as Promise<
      BenchOperations[K]['reply']
    >;
  }
}

/** Average time of an execution in the window, or the single wait times. */
function samplesOf({ side, kind }: TestFacts, { sides }: ConcurrentFacts): readonly number[] {
  const { perMs, waits } = sides[side!];
  if (kind === 'throughput') return perMs > 0 ? [MICROSECONDS / perMs] : [];
  return Array.from(waits, (ms) => ms * MICROSECONDS);
}
