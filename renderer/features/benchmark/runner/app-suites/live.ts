// The suite `live`: changes and the live queries that follow them, on both engines of the product.
import type { EngineId } from '#shared/bench/engines.ts';
import type { Sink } from '#shared/bench/sink.ts';
import type { DatabaseId, ReaderId } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';
import { client } from '../../../../connection/database-client.ts';
import { ResultSource } from '../../../../workbench/rows/result-source.ts';
import { clockNow } from '../second-window/clock.ts';
import { SecondWindow } from '../second-window/second-window.ts';
import type { AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { factsOf, ProductSuite, sinkRows } from './app-target.ts';
import { sum } from './app-test.ts';
import type { Player, Seen } from './app-test.ts';
import { CREATE, parts } from './browse-table.ts';
import { anyMoment, frameWith } from './frames.ts';
import { GridStage } from './grid-stage.tsx';
import type { ShownGrid } from './grid-stage.tsx';
import {
  CHANGED_ROWS,
  CHANGES,
  changeSql,
  COMMITS,
  IN_GRID,
  LIVE_ROWS,
  LIVE_TESTS,
  liveQueries,
  liveStatements,
  OTHER,
  WATCHED_ROWS,
} from './live-tests.ts';
import type { LiveTest } from './live-tests.ts';
import { TemporaryDatabases } from './temporary-databases.ts';

export class Live extends ProductSuite {
  readonly tests = LIVE_TESTS.map(({ facts }) => facts);
  readonly #stage = new GridStage('Measuring: rows that follow changes');
  readonly #databases = new TemporaryDatabases(fill, { history: true });
  #other: Promise<SecondWindow> | null = null;

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const database = await this.#databases.of(engine, run);
    const test = unit.tests[0]!.id as LiveTest;
    const other = test === 'change-to-other-window' ? await this.#secondWindow(run) : await this.#closeSecondWindow();
    const facts = await factsOf(liveStatements(test, unit.size, run.seed), database, engine);
    const player = new LivePlayer({ test, queries: unit.size, database, run, stage: this.#stage, other });
    return this.target(engine, test, facts, player, run);
  }

  override async end(): Promise<void> {
    await super.end();
    await this.#closeSecondWindow();
    this.#stage.end();
    await this.#databases.end();
  }

  /** Shared by all engines. */
  #secondWindow({ control }: AppSuiteRun): Promise<SecondWindow> {
    this.#other ??= SecondWindow.open(control);
    return this.#other;
  }

  /** All other measurements have one window. */
  async #closeSecondWindow(): Promise<null> {
    const other = await this.#other?.catch(() => null);
    this.#other = null;
    await other?.close();
    return null;
  }
}

async function fill(sql: (text: string) => Promise<unknown>, { seed, tell }: AppSuiteRun): Promise<void> {
  tell('creating its rows');
  await sql(CREATE);
  for (const part of parts(LIVE_ROWS, seed)) await sql(part.sql);
  await sql(OTHER);
}

interface Parts {
  readonly test: LiveTest;
  readonly queries: number;
  readonly database: DatabaseId;
  readonly run: AppSuiteRun;
  readonly stage: GridStage;
  /** Set for tests that measure what it sees. */
  readonly other: SecondWindow | null;
}

const NAME_COLUMN = 1;
const MICROSECONDS = 1_000;

/** Changes rows while live queries are open, one of them in the real grid. */
class LivePlayer implements Player {
  readonly #parts: Parts;
  #shown: ResultSource | null = null;
  readonly #others: ReaderId[] = [];
  /** Counter that makes each text unique, even when a round is repeated. */
  #texts = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async play(round: number): Promise<Seen> {
    const source = await this.#opened();
    if (this.#parts.test === 'change-to-other-window') return this.#otherWindow(round);
    const shown = this.#parts.stage.show(source);
    await frameWith(shown.isFull, this.#parts.run.control);
    await this.#untilWatched(shown, source);
    if (this.#parts.test === 'commits') return this.#commit();
    const random = createRandom(this.#parts.run.seed ^ (round * 7919));
    const samples: number[] = [];
    for (let change = 0; change < CHANGES; change++) {
      await anyMoment(random.next());
      const { paintedMs, hereMs } = await this.#changed(shown, random.between(1, CHANGED_ROWS));
      samples.push(this.#parts.test === 'change-to-rows' ? hereMs : paintedMs);
    }
    return { samples, timedMs: sum(samples) };
  }

  /** Passes on what the query shows after changes to the database. */
  async compare(round: number, sink: Sink): Promise<void> {
    for (let id = 1; id <= CHANGED_ROWS; id++) await this.#run(changeSql(`compared ${round}`, id));
    const source = await this.#opened();
    await client.call('live.set', { reader: source.reader, action: 'refresh' });
    sinkRows((await this.#parts.run.control.wait(source.read(0, 100))).rows, sink);
  }

  rest(): void {
    this.#parts.stage.hide();
  }

  async close(): Promise<void> {
    this.#parts.stage.hide();
    this.#shown?.close();
    this.#shown = null;
    for (const reader of this.#others.splice(0)) await client.call('rows.close', { reader });
  }

  /** The grid subscribes to its rows once scrolling stops: it has when a change arrives as a patch. */
  async #untilWatched(shown: ShownGrid, source: ResultSource): Promise<void> {
    let isWatched = false;
    const stop = source.subscribe(({ kind }) => (isWatched ||= kind === 'patched'));
    try {
      while (!isWatched) await this.#changed(shown, CHANGED_ROWS);
    } finally {
      stop();
    }
  }

  /** Milliseconds since the request. */
  async #changed({ grid }: ShownGrid, id: number): Promise<{ readonly paintedMs: number; readonly hereMs: number }> {
    const source = this.#shown!;
    const text = this.#nextText();
    const { control } = this.#parts.run;
    const isThere = (): boolean => {
      const cell = grid.cell(id - 1, NAME_COLUMN);
      return cell !== null && cell.rows.text(cell.index, source.hiddenColumns + NAME_COLUMN) === text;
    };
    let here = 0;
    // Comes after the grid, which subscribed first.
    const stop = source.subscribe(() => {
      if (here === 0 && isThere()) here = performance.now();
    });
    const began = performance.now();
    try {
      const answered = this.#run(changeSql(text, id));
      const painted = await frameWith(isThere, control);
      await answered;
      return { paintedMs: painted - began, hereMs: (here === 0 ? painted : here) - began };
    } finally {
      stop();
    }
  }

  async #otherWindow(round: number): Promise<Seen> {
    const { control, seed } = this.#parts.run;
    const random = createRandom(seed ^ (round * 7919));
    const other = this.#parts.other!;
    await control.wait(other.show(this.#parts.database, IN_GRID));
    const samples: number[] = [];
    for (let change = 0; change < CHANGES; change++) {
      const id = random.between(1, CHANGED_ROWS);
      const text = this.#nextText();
      const { atMs } = await control.wait(other.expect(id - 1, NAME_COLUMN, text));
      await anyMoment(random.next());
      const began = clockNow();
      await this.#run(changeSql(text, id));
      samples.push((await control.wait(atMs)) - began);
    }
    return { samples, timedMs: sum(samples) };
  }

  async #commit(): Promise<Seen> {
    const began = performance.now();
    const commits = Array.from({ length: COMMITS }, (_, index) =>
      this.#run(changeSql(this.#nextText(), (index % CHANGED_ROWS) + 1)),
    );
    await Promise.all(commits);
    const timedMs = performance.now() - began;
    return { samples: [(timedMs * MICROSECONDS) / COMMITS], timedMs };
  }

  #nextText(): string {
    return `change ${++this.#texts}`;
  }

  #run(sql: string): Promise<unknown> {
    const { database, run } = this.#parts;
    return run.control.wait(client.call('query.run', { database, sql }));
  }

  async #opened(): Promise<ResultSource> {
    if (this.#shown) return this.#shown;
    const { database, queries, run } = this.#parts;
    const open = (sql: string) =>
      run.control.wait(client.call('live.open', { database, sql, params: [], limitMs: null }));
    const [first, ...others] = liveQueries(queries);
    for (const sql of others) {
      const { reader } = await open(sql);
      this.#others.push(reader);
      await client.call('rows.watch', { reader, range: { start: 0, count: WATCHED_ROWS } });
    }
    this.#shown = new ResultSource(database, await open(first!));
    return this.#shown;
  }
}
