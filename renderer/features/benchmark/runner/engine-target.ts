// An engine in a round: its programs are prepared outside the clock, run under it, and delivered to this window. Or readers run beside a
// writer, in one run from which each test reports one side.
import { engineOf } from '#shared/bench/engines.ts';
import type {
  BenchOperations,
  ConcurrentFacts,
  LoadedTest,
  LoadTest,
  Prepared,
  RunFacts,
  TestFacts,
  DeliveredChunk,
} from '#shared/bench/protocol.ts';
import { Sink } from '#shared/bench/sink.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { CallOptions } from '#shared/rpc/client.ts';
import type {
  BenchUnit,
  FailedPart,
  PartFacts,
  PartSample,
  RoundKind,
  RoundOutcome,
  RunControl,
  Target,
} from './target.ts';
import type { EnginePort } from './started-engines.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';

/** Executions that are delivered one by one in a round. */
const DELIVERED_EACH = 50;
const MICROSECONDS = 1_000;

interface EngineTargetOptions {
  readonly unit: BenchUnit;
  readonly control: RunControl;
  readonly load: Pick<LoadTest, 'seed' | 'profile' | 'own'>;
}

interface Timed {
  readonly run: RunFacts | null;
  readonly elapsedMs: number;
  readonly delivered: readonly number[];
  readonly windowBusyMs: readonly number[];
  readonly checksum: string | null;
}

abstract class PortTarget implements Target {
  readonly facts = new Map<string, PartFacts>();
  protected readonly port: EnginePort;
  protected readonly options: EngineTargetOptions;

  constructor(port: EnginePort, options: EngineTargetOptions) {
    this.port = port;
    this.options = options;
  }

  get engine(): Target['engine'] {
    return this.port.engine;
  }

  abstract round(kind: RoundKind, batch: number): Promise<RoundOutcome>;

  async close(): Promise<void> {
    await this.call('database.close', {}).catch(() => undefined);
  }

  protected call<K extends keyof BenchOperations>(
    op: K,
    params: BenchOperations[K]['params'],
    options?: CallOptions<BenchOperations[K]['chunk']>,
  ): Promise<BenchOperations[K]['reply']> {
    return this.options.control.wait(this.port.client.call(op, params as never, options as never)) as Promise<
      BenchOperations[K]['reply']
    >;
  }

  protected load(test: TestFacts): Promise<LoadedTest> {
    const { unit, load } = this.options;
    return this.call('test.load', { suite: unit.suite, test: test.id, size: unit.size, ...load });
  }
}

export class EngineTarget extends PortTarget {
  readonly #loaded = new Map<string, LoadedTest>();

  async round(kind: RoundKind, batch: number): Promise<RoundOutcome> {
    const parts: PartSample[] = [];
    for (const test of this.options.unit.tests) {
      try {
        parts.push(await this.#part(test, kind, batch));
      } catch (error) {
        return { parts, failure: failureOf(error, test, this.port) };
      }
    }
    return { parts, failure: null };
  }

  async #part(test: TestFacts, kind: RoundKind, batch: number): Promise<PartSample> {
    if (test.unavailable !== null) throw AppError.unavailable(test.unavailable);
    const loaded = await this.#load(test);
    const isPartOfSequence = this.options.unit.sequence !== null;
    const prepared = await this.#prepare(test);
    const timed = await this.#time(test, loaded, kind, isPartOfSequence ? 1 : batch);
    const check = await this.call('test.check', {});
    this.facts.set(test.id, {
      statements: loaded.statements,
      rows: loaded.rows,
      pragmas: prepared.pragmas,
      differences: prepared.differences,
      fileBytes: check.fileBytes,
      heapBytes: check.heapBytes,
    });
    const extra = kind === 'timed' ? await this.#deliverEach(test, loaded) : [];
    return {
      test: test.id,
      samples: kind === 'deep' ? [] : samplesOf(test, loaded, timed),
      timedMs: timed.elapsedMs,
      delivered: kind === 'deep' ? [] : [...timed.delivered, ...extra].map((ms) => inUnit(test, loaded, ms)),
      windowBusyMs: timed.windowBusyMs,
      rows: timed.run?.rows ?? null,
      read: timed.checksum,
      left: check.checksum,
      wrong: check.wrong,
    };
  }

  /** Loads parts of a sequence again each time: the engine does not have all of them in memory at once. */
  async #load(test: TestFacts): Promise<LoadedTest> {
    const known = this.#loaded.get(test.id);
    if (known && this.options.unit.sequence === null) return known;
    const loaded = await this.load(test);
    this.#loaded.set(test.id, loaded);
    return loaded;
  }

  async #prepare(test: TestFacts): Promise<Pick<Prepared, 'pragmas' | 'differences'>> {
    const { unit } = this.options;
    if (unit.sequence !== null) return this.call('test.prepare', { fresh: unit.tests[0] === test });
    // The data prepared by an earlier round is still there.
    const known = test.database === 'kept' ? this.facts.get(test.id) : undefined;
    return known ?? this.call('test.prepare', { fresh: true });
  }

  async #time(test: TestFacts, loaded: LoadedTest, kind: RoundKind, batch: number): Promise<Timed> {
    if (test.measures === 'delivery') return this.#deliverRows(kind);
    if (kind === 'deep') {
      const run = await this.call('test.run', { mode: 'deep', repeat: 1, group: 1 });
      return { run, elapsedMs: run.elapsedMs, delivered: [], windowBusyMs: [], checksum: run.checksum };
    }
    const isKept = test.database === 'kept' && this.options.unit.sequence === null;
    const isWhole = test.kind === 'throughput';
    const asked = performance.now();
    const run = await this.call('test.run', {
      mode: 'timed',
      repeat: isKept && isWhole ? batch : 1,
      group: isWhole ? 1 : batch,
    });
    const answeredMs = performance.now() - asked;
    let { elapsedMs } = run;
    // A database for each of the batch: the timed part can be done only once.
    for (let more = 1; isWhole && !isKept && more < batch; more++) {
      await this.#prepare(test);
      elapsedMs += (await this.call('test.run', { mode: 'timed', repeat: 1, group: 1 })).elapsedMs;
    }
    if (isWhole) elapsedMs /= batch;
    const { checksum } = run;
    if ((isKept || loaded.readsOnly) && loaded.delivery === 'rows' && kind === 'timed') {
      const { delivered, windowBusyMs } = await this.#deliverRows(kind);
      return { run, elapsedMs, delivered, windowBusyMs, checksum };
    }
    return { run, elapsedMs, delivered: isWhole && !isKept ? [answeredMs] : [], windowBusyMs: [], checksum };
  }

  /** Reads everything the query returns, until it has arrived and its first rows are decoded. */
  async #deliverRows(kind: RoundKind): Promise<Timed> {
    const sink = kind === 'deep' ? new Sink(true) : null;
    let shown = false;
    let sunk = Promise.resolve();
    this.port.takeBusyMs();
    const asked = performance.now();
    await this.call(
      'test.deliver',
      {},
      {
        onChunk(chunk) {
          if (!sink) {
            // Texts are useless until all of them have arrived and can be parsed.
            if (!shown || chunk.form === 'json') shown = showFirstRows(chunk) >= 0;
            return;
          }
          // Process chunks in order, and request no more of them than are consumed.
          sunk = sunk.then(() => sinkRows(chunk, sink));
          return sunk;
        },
      },
    );
    await sunk;
    const elapsedMs = performance.now() - asked;
    return {
      run: null,
      elapsedMs,
      delivered: [elapsedMs],
      windowBusyMs: sink ? [] : [this.port.takeBusyMs()],
      checksum: sink?.checksum ?? null,
    };
  }

  /** Executions of a latency test, requested by this window one after another. */
  async #deliverEach(test: TestFacts, loaded: LoadedTest): Promise<readonly number[]> {
    if (test.kind !== 'latency' || loaded.delivery !== 'each' || this.options.unit.sequence !== null) return [];
    if (test.database === 'fresh') await this.call('test.prepare', { fresh: true });
    const times: number[] = [];
    for (let at = 0; at < Math.min(DELIVERED_EACH, loaded.executions); at++) {
      const asked = performance.now();
      const rows = await this.call('test.execute', { at });
      if (rows) showFirstRows(rows);
      times.push(performance.now() - asked);
    }
    return times;
  }
}

export class ConcurrentTarget extends PortTarget {
  #loaded: LoadedTest | null = null;

  async round(kind: RoundKind): Promise<RoundOutcome> {
    try {
      return { parts: await this.#parts(kind), failure: null };
    } catch (error) {
      return { parts: [], failure: failureOf(error, this.options.unit.tests[0]!, this.port) };
    }
  }

  async #parts(kind: RoundKind): Promise<readonly PartSample[]> {
    const { unit } = this.options;
    const [first] = unit.tests;
    if (first!.unavailable !== null) throw AppError.unavailable(first!.unavailable);
    // All tests of the unit have the same program.
    this.#loaded ??= await this.load(first!);
    const prepared = await this.call('test.prepare', { fresh: true });
    const run = await this.call('test.concurrent', {});
    const check = await this.call('test.check', {});
    const { statements, rows } = this.#loaded;
    for (const { id, transaction } of unit.tests) {
      const { pragmas, differences } = prepared;
      const { fileBytes, heapBytes } = check;
      const own = { statements, rows, pragmas, differences, fileBytes, heapBytes };
      this.facts.set(id, { ...own, transaction: `${transaction} ${run.way}` });
    }
    return unit.tests.map((test) => ({
      test: test.id,
      samples: kind === 'deep' ? [] : sideSamplesOf(test, run),
      timedMs: run.elapsedMs / unit.tests.length,
      delivered: [],
      windowBusyMs: [],
      rows: null,
      read: null,
      left: check.checksum,
      wrong: run.wrong ?? check.wrong,
    }));
  }
}

/** @throws AppError `stopped`: that is not a failure of a test */
function failureOf(error: unknown, test: TestFacts, port: EnginePort): FailedPart {
  const { code, message } = toErrorData(error);
  if (code === 'stopped') throw error;
  const died = port.silence ?? `${engineOf(port.engine)!.label} crashed: its worker or process ended.`;
  return {
    test: test.id,
    status: code === 'unavailable' ? 'skipped' : 'failed',
    why: code === 'disconnected' ? `${died} It is restarted for the next test.` : message,
  };
}

function samplesOf(test: TestFacts, loaded: LoadedTest, { run, elapsedMs }: Timed): readonly number[] {
  const times = test.kind === 'latency' && run ? Array.from(run.laps) : [elapsedMs];
  return times.map((ms) =>
    test.kind === 'latency' ? (test.unit === 'us' ? ms * MICROSECONDS : ms) : inUnit(test, loaded, ms),
  );
}

function inUnit(test: TestFacts, { operations }: LoadedTest, ms: number): number {
  if (test.unit === 'ms') return ms;
  return (ms * MICROSECONDS) / (test.kind === 'latency' ? 1 : operations);
}

/** Average time of an execution in the window, or the single wait times. */
function sideSamplesOf({ side, kind }: TestFacts, { sides }: ConcurrentFacts): readonly number[] {
  const { perMs, waits } = sides[side!];
  if (kind === 'throughput') return perMs > 0 ? [MICROSECONDS / perMs] : [];
  return Array.from(waits, (ms) => ms * MICROSECONDS);
}

const VISIBLE_ROWS = 50;

/** Decodes the rows that would be painted first. Returns their characters, so that no decoding is skipped. */
export function showFirstRows(chunk: DeliveredChunk): number {
  let characters = 0;
  if (chunk.form === 'packed') {
    const reader = new PackedRowsReader(chunk.rows);
    const rows = Math.min(VISIBLE_ROWS, chunk.rows.rowCount);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < chunk.rows.columnCount; column++) characters += reader.text(row, column).length;
    }
    return characters;
  }
  for (const row of objectsOf(chunk).slice(0, VISIBLE_ROWS))
    for (const value of Object.values(row)) characters += String(value).length;
  return characters;
}

/** How long the window may be busy before it has to paint. */
const SLICE_MS = 12;
const ROWS_BETWEEN_LOOKS = 200;

/** Not timed, so it can pause: thousands of rows at once would block the window. */
export async function sinkRows(chunk: DeliveredChunk, sink: RowSink): Promise<void> {
  const { count, valuesOf } = rowsIn(chunk);
  let until = performance.now() + SLICE_MS;
  for (let row = 0; row < count; row++) {
    for (const value of valuesOf(row)) sink.value(value);
    sink.endRow();
    if (row % ROWS_BETWEEN_LOOKS !== 0 || performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + SLICE_MS;
  }
}

interface RowsIn {
  readonly count: number;
  valuesOf(row: number): readonly unknown[];
}

function rowsIn(chunk: DeliveredChunk): RowsIn {
  if (chunk.form !== 'packed') {
    const rows = objectsOf(chunk);
    return { count: rows.length, valuesOf: (row) => Object.values(rows[row]!) };
  }
  const reader = new PackedRowsReader(chunk.rows);
  const columns = Array.from({ length: chunk.rows.columnCount }, (_, column) => column);
  // A text that is not UTF-8 is the same text on all engines.
  const valueOf = (row: number, column: number): unknown =>
    reader.storageClass(row, column) === 'text' ? reader.text(row, column) : reader.value(row, column);
  return { count: chunk.rows.rowCount, valuesOf: (row) => columns.map((column) => valueOf(row, column)) };
}

const objectsOf = (chunk: Exclude<DeliveredChunk, { readonly form: 'packed' }>): readonly object[] =>
  chunk.form === 'objects' ? chunk.rows : (JSON.parse(chunk.text) as readonly object[]);
