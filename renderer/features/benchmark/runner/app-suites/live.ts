// The suite `live`: changes and the live queries that follow them, on both engines of the product.
import type { Sink } from '#shared/bench/sink.ts';
import type { ReaderId } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';
import { client } from '../../../../connection/database-client.ts';
import { ResultSource } from '../../../../workbench/rows/result-source.ts';
import { openSecondWindow } from '../second-window.ts';
import type { SecondWindow } from '../second-window.ts';
import { sinkRows } from './app-suite.ts';
import type { ProductSuite, Stand } from './app-suite.ts';
import {
  sum,
  fillTable,
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
} from './app-tests.ts';
import type { Player, Seen } from './app-tests.ts';
import { anyMoment, clockNow, frameWith } from './frames.ts';
import type { ShownGrid } from './grid-stage.tsx';

export function live(): ProductSuite {
  /** Shared by all engines; all other measurements have one window. */
  let other: Promise<SecondWindow> | null = null;
  const closeOther = async (): Promise<void> => {
    const opened = await other?.catch(() => null);
    other = null;
    await opened?.close();
  };
  return {
    tests: LIVE_TESTS.map(({ facts }) => facts),
    caption: 'Measuring: rows that follow changes',
    databases: {
      async fill(sql, run) {
        await fillTable(sql, run, LIVE_ROWS);
        await sql(OTHER);
      },
      history: true,
    },
    statements: (test, size, { seed }) => liveStatements(test, size, seed),
    async player(stand) {
      if (stand.test === 'change-to-other-window') other ??= openSecondWindow(stand.run.control);
      else await closeOther();
      return new LivePlayer(stand, await other);
    },
    end: closeOther,
  };
}

const NAME_COLUMN = 1;
const MICROSECONDS = 1_000;

/** Changes rows while live queries are open, one of them in the real grid. */
class LivePlayer implements Player {
  readonly #parts: Stand;
  /** Set for tests that measure what it sees. */
  readonly #other: SecondWindow | null;
  #shown: ResultSource | null = null;
  readonly #others: ReaderId[] = [];
  /** Counter that makes each text unique, even when a round is repeated. */
  #texts = 0;

  constructor(stand: Stand, other: SecondWindow | null) {
    this.#parts = stand;
    this.#other = other;
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
    const other = this.#other!;
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
    const { database, size, run } = this.#parts;
    const open = (sql: string) =>
      run.control.wait(client.call('live.open', { database, sql, params: [], limitMs: null }));
    const [first, ...others] = liveQueries(size);
    for (const sql of others) {
      const { reader } = await open(sql);
      this.#others.push(reader);
      await client.call('rows.watch', { reader, range: { start: 0, count: WATCHED_ROWS } });
    }
    this.#shown = new ResultSource(database, await open(first!));
    return this.#shown;
  }
}
