// Measures one engine for a window: loads a test's program, gives it its database, runs it under the clock.
import { pragmaDifferences, PROFILES, type Pragmas } from '#shared/bench/profile.ts';
import { profileOf, type EngineDefinition } from '#shared/bench/engines.ts';
import type { BenchOperations, DeliveredChunk } from '#shared/bench/protocol.ts';
import { Sink, valueSink } from '#shared/bench/sink.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { createRandom } from '#shared/random.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { deliverRows, packSmall } from './deliver.ts';
import type { BenchDatabase, BenchDriver, Recorder } from './driver.ts';
import { showConcurrent } from './concurrent/bank.ts';
import { pragmasOfConcurrent, runConcurrent, type ReaderThreads } from './concurrent/run.ts';
import { LapTimes } from './lap-times.ts';
import { read, showSteps, type ReadStep, type RunStep, type Step } from './program.ts';
import { SUITE_FILES } from './suites/all.ts';
import type { BenchSuite, BenchTest, Program } from './suite.ts';

const DATABASE = 'measured.db';

interface Loaded {
  readonly test: BenchTest;
  readonly program: Program;
  readonly pragmas: Pragmas;
}

export class BenchSession {
  readonly #engine: EngineDefinition;
  readonly #driver: BenchDriver;
  readonly #threads: ReaderThreads | undefined;
  #loaded: Loaded | null = null;
  #database: BenchDatabase | null = null;

  constructor(engine: EngineDefinition, driver: BenchDriver, threads?: ReaderThreads) {
    this.#engine = engine;
    this.#driver = driver;
    this.#threads = threads;
  }

  /** Everything of {@link BenchOperations} but the life of the driver. */
  readonly handlers: Handlers<Omit<BenchOperations, 'driver.start' | 'driver.code' | 'driver.end'>, null> = {
    'suite.tests': async ({ suite: id }) => {
      const suite = await loadSuite(id);
      return suite.tests.map(({ program: _program, unavailable, ...facts }) => ({
        sequence: null,
        sizes: null,
        pragmas: {},
        measures: 'engine',
        ...facts,
        unavailable: unavailable?.(this.#engine) ?? null,
      }));
    },

    'test.load': async (params) => {
      const suite = await loadSuite(params.suite);
      const test = suite.tests.find(({ id }) => id === params.test);
      if (!test) throw AppError.invalid(`${params.suite} has no test “${params.test}”.`);
      const made = test.program({
        size: params.size,
        random: createRandom(params.seed),
        engine: this.#engine,
        ...(params.own && { own: params.own }),
      });
      const program = made.file ? { ...made, file: fitFile(made.file, this.#engine) } : made;
      const wanted: Pragmas = { ...PROFILES[profileOf(this.#engine, params.profile)], ...test.pragmas };
      const pragmas = program.concurrent ? pragmasOfConcurrent(wanted, this.#driver.connections) : wanted;
      // A file has its own page size.
      const page_size = program.file ? pageSizeOf(program.file) : pragmas.page_size;
      this.#loaded = { test, program, pragmas: { ...pragmas, page_size } };
      const hasRows = program.deliver !== undefined || program.timed.some((step) => step.do === 'read');
      const each = test.kind === 'latency' ? latencyStep(program) : null;
      return {
        statements: [
          ...showSteps('prepared', program.prepare),
          ...(program.concurrent ? showConcurrent(program.concurrent) : showSteps('timed', program.timed)),
          ...showSteps('checked', program.check),
        ],
        operations: program.operations ?? 1,
        rows: program.rows ?? null,
        delivery: each ? 'each' : hasRows ? 'rows' : 'answer',
        readsOnly: program.readsOnly ?? false,
        executions: each?.params.length ?? 0,
      };
    },

    'test.prepare': async ({ fresh }) => {
      const { program, pragmas } = this.#test();
      if (fresh) {
        await this.close();
        this.#database = await this.#driver.create(DATABASE, pragmas, program.file);
      }
      const database = this.#open();
      const { functions = [], tables = [] } = program;
      if (functions.length > 0) {
        if (!database.define) throw AppError.unavailable(`${this.#engine.label} calls no functions of JavaScript.`);
        database.define(functions);
      }
      if (tables.length > 0) {
        if (!database.defineTables) throw AppError.unavailable(`${this.#engine.label} offers no tables of JavaScript.`);
        database.defineTables(tables);
      }
      await this.#perform(program.prepare, { sink: new Sink(false), laps: null });
      const found = await this.#open().pragmas();
      const own = this.#driver.facts.settings?.map((text) => ({ pragma: null, text }));
      return { pragmas: found, differences: own ?? pragmaDifferences(pragmas, found) };
    },

    'test.run': async ({ mode, repeat, group }) => {
      const { test, program } = this.#test();
      const laps = test.kind === 'latency' ? new LapTimes(Math.max(program.group ?? 1, group)) : null;
      const sink = new Sink(mode === 'deep');
      const recorder: Recorder = { sink, laps };
      const { timed } = program;
      const started = performance.now();
      for (let round = 0; round < repeat; round++) {
        // Avoids a promise where the engine needs none.
        const pending = this.#performAtOnce(timed, recorder);
        if (pending) await pending;
      }
      const elapsedMs = performance.now() - started;
      return {
        elapsedMs,
        laps: laps?.times() ?? new Float64Array(0),
        rows: sink.rows / repeat,
        checksum: sink.checksum,
      };
    },

    /** Repeats the timed steps, with their rows sent to the window; or delivers what the test specifies. */
    'test.deliver': async (_params, context) => {
      const { program } = this.#test();
      const emit = (chunk: DeliveredChunk): Promise<void> => context.emit(chunk);
      if (program.deliver) {
        await deliverRows(this.#open(), program.deliver, emit);
        return null;
      }
      for (const step of program.timed) {
        if (step.do === 'read') await deliverRows(this.#open(), { read: step, form: 'packed' }, emit);
        else await this.#perform([step], { sink: new Sink(false), laps: null });
      }
      return null;
    },

    'test.execute': async ({ at }) => {
      const step = latencyStep(this.#test().program);
      const params = step?.params[at];
      if (!step || !params) throw AppError.invalid('This execution does not exist.');
      const one = { ...step, params: [params] };
      if (one.do === 'read') return packSmall(this.#open(), one);
      const pending = this.#open().perform(one, { sink: new Sink(false), laps: null });
      if (pending) await pending;
      return null;
    },

    'test.concurrent': async () => {
      const { program, pragmas } = this.#test();
      if (!program.concurrent) throw AppError.invalid('This test has no concurrent part.');
      return runConcurrent({
        work: program.concurrent,
        database: this.#open(),
        connections: this.#driver.connections,
        name: DATABASE,
        pragmas,
        openAnother: async () => this.#driver.open(DATABASE, pragmas),
        ...(this.#threads && { threads: this.#threads }),
      });
    },

    'test.check': async () => {
      const { program } = this.#test();
      const sink = new Sink(true);
      await this.#perform(program.check, { sink, laps: null });
      return {
        checksum: sink.checksum,
        wrong: await this.#miscounted(program.counted ?? {}),
        fileBytes: await this.#open().sizeBytes(),
        heapBytes: this.#driver.heapBytes(),
      };
    },

    'database.close': () => this.close(),
  };

  async close(): Promise<null> {
    const database = this.#database;
    this.#database = null;
    if (!database) return null;
    await database.close();
    await this.#driver.remove(DATABASE);
    return null;
  }

  async #miscounted(counted: NonNullable<Program['counted']>): Promise<string | null> {
    for (const [table, rows] of Object.entries(counted)) {
      let found: unknown = null;
      const sink = valueSink((value) => (found = value));
      await this.#open().perform(read(`SELECT count(*) FROM ${table}`), { sink, laps: null });
      if (Number(found) !== rows) return `${table} has ${String(found)} rows instead of ${rows}`;
    }
    return null;
  }

  /** Returns a promise only once something has to be awaited. */
  #performAtOnce(steps: readonly Step[], recorder: Recorder): Promise<void> | null {
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index]!;
      const pending = step.do === 'reopen' ? this.#reopen() : this.#database!.perform(step, recorder);
      if (pending) return pending.then(() => this.#perform(steps.slice(index + 1), recorder));
    }
    return null;
  }

  async #perform(steps: readonly Step[], recorder: Recorder): Promise<void> {
    await this.#performAtOnce(steps, recorder);
  }

  #reopen(): Promise<void> | null {
    const { pragmas } = this.#test();
    const closing = this.#open().close();
    const opened = closing
      ? closing.then(() => this.#driver.open(DATABASE, pragmas))
      : this.#driver.open(DATABASE, pragmas);
    if (opened instanceof Promise) return opened.then((database) => void (this.#database = database));
    this.#database = opened;
    return null;
  }

  #test(): Loaded {
    if (!this.#loaded) throw AppError.invalid('No test was loaded.');
    return this.#loaded;
  }

  #open(): BenchDatabase {
    if (!this.#database) throw AppError.invalid('No database was prepared.');
    return this.#database;
  }
}

/** Header of a database file (sqlite.org/fileformat.html): 1 stands for 65,536. */
function pageSizeOf(file: Uint8Array): number {
  const size = (file[16]! << 8) | file[17]!;
  return size === 1 ? 65_536 : size;
}

/** A file in WAL mode cannot be opened in memory until its header says otherwise. */
function fitFile(file: Uint8Array, { storage }: EngineDefinition): Uint8Array {
  if (storage === 'file' || file[18] === 1) return file;
  const copy = file.slice();
  copy[18] = copy[19] = 1;
  return copy;
}

function latencyStep(program: Program): RunStep | ReadStep | null {
  return program.timed.find((step): step is RunStep | ReadStep => step.do === 'run' || step.do === 'read') ?? null;
}

async function loadSuite(id: SuiteId): Promise<BenchSuite> {
  const load = SUITE_FILES[id];
  if (!load) throw AppError.unavailable(`The suite “${id}” is not measured by engines.`);
  return load();
}
