// The suite `browse`: a large table in the real grid, on both engines of the product.
import type { BenchMemory } from '#shared/bench/shell.ts';
import type { Sink } from '#shared/bench/sink.ts';
import type { RowsPage } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import { shell } from '../../../../connection/shell.ts';
import { formatCount } from '../../../../ui/format.ts';
import { TableSource } from '../../../../workbench/rows/table-source.ts';
import type { TableView } from '../../../../workbench/tabs/table.ts';
import type { AppSuiteRun } from '../target.ts';
import { sinkRows } from './app-suite.ts';
import type { ProductSuite, Stand } from './app-suite.ts';
import {
  seen,
  sum,
  CREATE,
  FILTER,
  parts,
  places,
  SORT,
  TABLE,
  BROWSE_TESTS,
  BROWSED_FRAMES,
  bytesOf,
  isMemoryTest,
  DRAGGED_FRAMES,
  JUMPS,
  SCROLLED_FRAMES,
  statementsOf,
} from './app-tests.ts';
import type { Player, Seen, BrowseTest, MemoryTest } from './app-tests.ts';
import { anyMoment, frameWith, nextFrame } from './frames.ts';
import type { ShownGrid } from './grid-stage.tsx';

export function browse(): ProductSuite {
  let readings: BenchMemory[] = [];
  let readSize = 0;
  return {
    tests: BROWSE_TESTS.map(({ facts }) => facts),
    caption: 'Measuring: browsing a large table',
    databases: { fill, history: false },
    async statements(test, size, { seed }) {
      const counted = isMemoryTest(test) ? await shell.bench.memory() : null;
      return statementsOf(test, size, seed, counted?.counts ?? null);
    },
    player(stand) {
      if (stand.size !== readSize) readings = [];
      readSize = stand.size;
      return new BrowsePlayer(stand, readings);
    },
  };
}

async function fill(sql: (text: string) => Promise<unknown>, run: AppSuiteRun, size: number): Promise<void> {
  await sql(CREATE);
  for (const part of parts(size, run.seed)) {
    await run.control.checkpoint();
    await sql(part.sql);
    run.tell(`creating ${formatCount(part.rows)} of ${formatCount(size)} rows`);
  }
}

type Asked = Pick<TableView, 'sort' | 'filter' | 'where'>;

const PLAIN: Asked = { sort: [], filter: [], where: '' };
const WHEEL_PIXELS = 100;
/** Compared with the other engine's. */
const READ_ROWS = 200;
const LOOK_MS = 20;

/** Opens, jumps, scrolls, sorts and filters in the real grid. */
class BrowsePlayer implements Player {
  readonly #parts: Stand & { readonly test: BrowseTest };
  /** Memory of all processes, for each round of this size that measured it. */
  readonly #readings: BenchMemory[];
  /** The open table, for tests that reuse it. */
  #opened: TableSource | null = null;
  #readingsTaken = 0;

  constructor(stand: Stand, readings: BenchMemory[]) {
    this.#parts = { ...stand, test: stand.test as BrowseTest };
    this.#readings = readings;
  }

  play(round: number): Promise<Seen> {
    const { run, size } = this.#parts;
    const random = createRandom(run.seed ^ (round * 7919));
    const rows = (count: number): readonly number[] => places(count, size, run.seed ^ (round * 104_729));
    switch (this.#parts.test) {
      case 'first-rows':
      case 'sort':
      case 'filter':
        return this.#open(askedBy(this.#parts.test), random);
      case 'jump':
        return this.#jump(rows(JUMPS), random);
      case 'scroll':
        return this.#scroll(rows(1)[0]!);
      case 'drag':
        return this.#drag();
      case 'memory-engine':
      case 'memory-window':
      case 'memory-others':
        return this.#holding(this.#parts.test, rows(JUMPS), random);
    }
  }

  async compare(_round: number, sink: Sink): Promise<void> {
    const { run, database, size } = this.#parts;
    const source = await run.control.wait(TableSource.open(database, TABLE, askedBy(this.#parts.test)));
    const moves = !['first-rows', 'sort', 'filter'].includes(this.#parts.test);
    try {
      for (const start of moves ? places(JUMPS, size, run.seed) : [0])
        sinkRows((await this.#exact(source, start, READ_ROWS)).rows, sink);
      if (this.#parts.test !== 'sort') sink.value(source.extent.rows);
    } finally {
      source.close();
    }
  }

  rest(): void {
    this.#parts.stage.hide();
  }

  close(): Promise<void> {
    this.#opened?.close();
    this.#opened = null;
    return Promise.resolve();
  }

  async #open(asked: Asked, random: Random): Promise<Seen> {
    const { control } = this.#parts.run;
    await anyMoment(random.next());
    const began = performance.now();
    const source = await control.wait(TableSource.open(this.#parts.database, TABLE, asked));
    try {
      const shown = this.#parts.stage.show(source);
      const isWhole = (): boolean => shown.isFull() && (asked.filter.length === 0 || source.extent.exact);
      return seen((await frameWith(isWhole, control)) - began);
    } finally {
      this.#parts.stage.hide();
      source.close();
    }
  }

  async #jump(rows: readonly number[], random: Random): Promise<Seen> {
    const { run } = this.#parts;
    const { grid, isFull } = await this.#show();
    const samples: number[] = [];
    for (const row of rows) {
      await anyMoment(random.next());
      const began = performance.now();
      grid.scrollToTopRow(row);
      samples.push((await frameWith(isFull, run.control)) - began);
      await run.control.checkpoint();
    }
    return seenAll(samples);
  }

  /** Memory of a process after browsing the table on screen. Figures for the whole app come from the rounds of the engines. */
  async #holding(test: MemoryTest, rows: readonly number[], random: Random): Promise<Seen> {
    const { engine } = this.#parts;
    const known = test === 'memory-engine' ? undefined : this.#readings[this.#readingsTaken++];
    if (known) return { samples: [bytesOf(test, engine, known)], timedMs: 0 };
    const jumped = await this.#jump(rows, random);
    const scrolled = await this.#scrollOn(await this.#show(), BROWSED_FRAMES);
    const memory = await this.#parts.run.control.wait(shell.bench.memory());
    if (memory && test === 'memory-engine') this.#readings.push(memory);
    return { samples: [bytesOf(test, engine, memory)], timedMs: jumped.timedMs + scrolled.timedMs };
  }

  async #scroll(from: number): Promise<Seen> {
    const shown = await this.#show();
    shown.grid.scrollToTopRow(from);
    await frameWith(shown.isFull, this.#parts.run.control);
    return this.#scrollOn(shown, SCROLLED_FRAMES);
  }

  #scrollOn({ scroller, isFull }: ShownGrid, frames: number): Promise<Seen> {
    return this.#frames(frames, () => (scroller.scrollTop += WHEEL_PIXELS), isFull);
  }

  async #drag(): Promise<Seen> {
    const { scroller } = await this.#show();
    const range = scroller.scrollHeight - scroller.clientHeight;
    return this.#frames(DRAGGED_FRAMES, (frame) => (scroller.scrollTop = (range * frame) / DRAGGED_FRAMES));
  }

  /** Moves before each frame, and times those that are whole. */
  async #frames(count: number, move: (frame: number) => void, isWhole = (): boolean => true): Promise<Seen> {
    const { control } = this.#parts.run;
    const samples: number[] = [];
    const busyMs: number[] = [];
    let before = (await control.wait(nextFrame())).beginsMs;
    for (let number = 1; samples.length < count; number++) {
      move(number);
      let counts = false;
      const frame = await control.wait(nextFrame(() => (counts = isWhole())));
      busyMs.push(frame.busyMs);
      if (!counts) continue;
      samples.push(frame.beginsMs - before);
      before = frame.beginsMs;
    }
    return seenAll(samples, busyMs);
  }

  async #show(): Promise<ShownGrid> {
    const { control } = this.#parts.run;
    const source = await this.#counted();
    const shown = this.#parts.stage.show(source);
    await frameWith(shown.isFull, control);
    return shown;
  }

  async #counted(): Promise<TableSource> {
    const { run, database } = this.#parts;
    this.#opened ??= await run.control.wait(TableSource.open(database, TABLE, PLAIN));
    await this.#exact(this.#opened, 0, 1);
    return this.#opened;
  }

  /** Rows by their final places: while rows are counted, places are estimates. Rows of a sorted table are counted only when the user goes there. */
  async #exact(source: TableSource, start: number, count: number): Promise<RowsPage> {
    for (;;) {
      const page = await this.#parts.run.control.wait(source.read(start, count));
      if (page.exactPosition && (page.extent.exact || this.#parts.test === 'sort')) return page;
      await this.#parts.run.control.wait(new Promise((resolve) => setTimeout(resolve, LOOK_MS)));
    }
  }
}

const seenAll = (samples: readonly number[], busyMs: readonly number[] = []): Seen => ({
  samples,
  timedMs: sum(samples),
  busyMs,
});

function askedBy(test: BrowseTest): Asked {
  if (test === 'sort') return { ...PLAIN, sort: SORT };
  if (test === 'filter') return { ...PLAIN, filter: FILTER };
  return PLAIN;
}
