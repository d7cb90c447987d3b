// One engine of the product in a round of `browse`: opens, jumps, scrolls, sorts and filters in the real grid.
import type { EngineId } from '#shared/bench/engines.ts';
import type { BenchMemory } from '#shared/bench/shell.ts';
import type { Sink } from '#shared/bench/sink.ts';
import type { DatabaseId, RowsPage } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import { shell } from '../../../../connection/shell.ts';
import type { TableView } from '../../../../workbench/table-tabs.ts';
import { TableSource } from '../../../../workbench/rows/table-source.ts';
import type { AppSuiteRun, PartFacts } from '../target.ts';
import { sinkRows, sum } from './app-target.ts';
import type { Player, Seen } from './app-target.ts';
import { FILTER, places, SORT, TABLE } from './browse-table.ts';
import { bytesOf } from './memory.ts';
import { BROWSED_FRAMES, DRAGGED_FRAMES, JUMPS, SCROLLED_FRAMES } from './browse-tests.ts';
import type { BrowseTest, MemoryTest } from './browse-tests.ts';
import { anyMoment, frameWith, nextFrame } from './frames.ts';
import type { GridStage, ShownGrid } from './grid-stage.tsx';

interface Parts {
  readonly test: BrowseTest;
  readonly engine: EngineId;
  readonly size: number;
  readonly database: DatabaseId;
  readonly facts: PartFacts;
  readonly run: AppSuiteRun;
  readonly stage: GridStage;
  /** Memory of all processes, for each round that measured it. */
  readonly readings: BenchMemory[];
}

type Asked = Pick<TableView, 'sort' | 'filter' | 'where'>;

const PLAIN: Asked = { sort: [], filter: [], where: '' };
const WHEEL_PIXELS = 100;
/** Compared with the other engine's. */
const READ_ROWS = 200;
const LOOK_MS = 20;

export class BrowsePlayer implements Player {
  readonly test: BrowseTest;
  readonly facts: PartFacts;
  readonly #parts: Parts;
  /** The open table, for tests that reuse it. */
  #opened: TableSource | null = null;
  #readingsTaken = 0;

  constructor(parts: Parts) {
    this.test = parts.test;
    this.facts = parts.facts;
    this.#parts = parts;
  }

  play(round: number): Promise<Seen> {
    const { run, size } = this.#parts;
    const random = createRandom(run.seed ^ (round * 7919));
    const rows = (count: number): readonly number[] => places(count, size, run.seed ^ (round * 104_729));
    switch (this.test) {
      case 'first-rows':
      case 'sort':
      case 'filter':
        return this.#open(askedBy(this.test), random);
      case 'jump':
        return this.#jump(rows(JUMPS), random);
      case 'scroll':
        return this.#scroll(rows(1)[0]!);
      case 'drag':
        return this.#drag();
      case 'memory-engine':
      case 'memory-window':
      case 'memory-others':
        return this.#holding(this.test, rows(JUMPS), random);
    }
  }

  /** Every value of what the test shows. */
  async compare(_round: number, sink: Sink): Promise<void> {
    const { run, database, size } = this.#parts;
    const source = await run.control.wait(TableSource.open(database, TABLE, askedBy(this.test)));
    const moves = !['first-rows', 'sort', 'filter'].includes(this.test);
    try {
      for (const start of moves ? places(JUMPS, size, run.seed) : [0])
        sinkRows((await this.#exact(source, start, READ_ROWS)).rows, sink);
      if (this.test !== 'sort') sink.value(source.extent.rows);
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
      return seen([(await frameWith(isWhole, control)) - began]);
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
    return seen(samples);
  }

  /** Memory of a process after browsing the table on screen. Figures for the whole app come from the rounds of the engines. */
  async #holding(test: MemoryTest, rows: readonly number[], random: Random): Promise<Seen> {
    const { engine, readings } = this.#parts;
    const known = test === 'memory-engine' ? undefined : readings[this.#readingsTaken++];
    if (known) return { samples: [bytesOf(test, engine, known)], timedMs: 0 };
    const jumped = await this.#jump(rows, random);
    const scrolled = await this.#scrollOn(await this.#show(), BROWSED_FRAMES);
    const memory = await this.#parts.run.control.wait(shell.bench.memory());
    if (memory && test === 'memory-engine') readings.push(memory);
    return { samples: [bytesOf(test, engine, memory)], timedMs: jumped.timedMs + scrolled.timedMs };
  }

  async #scroll(from: number): Promise<Seen> {
    const shown = await this.#show();
    shown.grid.scrollToTopRow(from);
    await frameWith(shown.isFull, this.#parts.run.control);
    return this.#scrollOn(shown, SCROLLED_FRAMES);
  }

  async #scrollOn({ scroller, isFull }: ShownGrid, frames: number): Promise<Seen> {
    const { control } = this.#parts.run;
    const samples: number[] = [];
    const busyMs: number[] = [];
    let before = (await control.wait(nextFrame())).beginsMs;
    while (samples.length < frames) {
      scroller.scrollTop += WHEEL_PIXELS;
      let isWhole = false;
      const frame = await control.wait(nextFrame(() => (isWhole = isFull())));
      busyMs.push(frame.busyMs);
      if (!isWhole) continue;
      samples.push(frame.beginsMs - before);
      before = frame.beginsMs;
    }
    return seen(samples, busyMs);
  }

  async #drag(): Promise<Seen> {
    const { control } = this.#parts.run;
    const { scroller } = await this.#show();
    const range = scroller.scrollHeight - scroller.clientHeight;
    const samples: number[] = [];
    const busyMs: number[] = [];
    let before = (await control.wait(nextFrame())).beginsMs;
    for (let frame = 1; frame <= DRAGGED_FRAMES; frame++) {
      scroller.scrollTop = (range * frame) / DRAGGED_FRAMES;
      const { beginsMs, busyMs: busy } = await control.wait(nextFrame());
      samples.push(beginsMs - before);
      busyMs.push(busy);
      before = beginsMs;
    }
    return seen(samples, busyMs);
  }

  /** The open table in the grid, its first rows painted. */
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
      if (page.exactPosition && (page.extent.exact || this.test === 'sort')) return page;
      await this.#parts.run.control.wait(new Promise((resolve) => setTimeout(resolve, LOOK_MS)));
    }
  }
}

const seen = (samples: readonly number[], busyMs: readonly number[] = []): Seen => ({
  samples,
  timedMs: sum(samples),
  busyMs,
});

function askedBy(test: BrowseTest): Asked {
  if (test === 'sort') return { ...PLAIN, sort: SORT };
  if (test === 'filter') return { ...PLAIN, filter: FILTER };
  return PLAIN;
}
