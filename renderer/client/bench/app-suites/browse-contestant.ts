// One engine of the product in a round of `browse`: opens, jumps, scrolls, sorts and filters in the real grid.
import type { EngineId } from '#shared/bench/engines.ts';
import { Sink } from '#shared/bench/sink.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { toErrorData } from '#shared/protocol/errors.ts';
import type { DatabaseId, RowsPage } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';
import type { TableView } from '../../slices/tabs.ts';
import { TableSource } from '../../table-source.ts';
import type {
  AppSuiteRun,
  BenchUnit,
  Contestant,
  PartFacts,
  PartSample,
  RoundKind,
  RoundOutcome,
} from '../contestant.ts';
import { FILTER, places, SORT, TABLE } from './browse-table.ts';
import { DRAGGED_FRAMES, JUMPS, SCROLLED_FRAMES, statementsOf } from './browse-tests.ts';
import type { BrowseTest } from './browse-tests.ts';
import { anyMoment, frameWith, nextFrame, whileShown } from './frames.ts';
import type { GridStage, ShownGrid } from './grid-stage.tsx';

interface Parts {
  readonly unit: BenchUnit;
  readonly database: DatabaseId;
  readonly settings: Pick<PartFacts, 'pragmas' | 'differences' | 'fileBytes'>;
  readonly run: AppSuiteRun;
  readonly stage: GridStage;
}

type Asked = Pick<TableView, 'sort' | 'filter' | 'where'>;

/** What was seen of one test in one round. */
interface Seen {
  readonly samples: readonly number[];
  readonly busyMs: readonly number[];
}

const PLAIN: Asked = { sort: [], filter: [], where: '' };
const WHEEL_PIXELS = 100;
/** Compared with the other engine's. */
const READ_ROWS = 200;
const LOOK_MS = 20;

export class BrowseContestant implements Contestant {
  readonly engine: EngineId;
  readonly facts = new Map<string, PartFacts>();
  readonly #parts: Parts;
  #rounds = 0;
  /** For tests that go on in an open table. */
  #opened: TableSource | null = null;

  constructor(engine: EngineId, parts: Parts) {
    this.engine = engine;
    this.#parts = parts;
  }

  async round(kind: RoundKind): Promise<RoundOutcome> {
    const { unit, run, settings, stage } = this.#parts;
    const test = unit.tests[0]!.id as BrowseTest;
    const statements = statementsOf(test, unit.size, run.seed);
    this.facts.set(test, { statements, rows: null, ...settings, heapBytes: null });
    this.#rounds++;
    try {
      const part =
        kind === 'deep' ? await this.#compared(test) : await whileShown(() => this.#timed(test), run.control);
      return { parts: [part], failure: null };
    } catch (error) {
      const { code, message } = toErrorData(error);
      if (code === 'stopped') throw error;
      return { parts: [], failure: { test, status: code === 'unavailable' ? 'skipped' : 'failed', why: message } };
    } finally {
      stage.hide();
    }
  }

  close(): Promise<void> {
    this.#opened?.close();
    this.#opened = null;
    return Promise.resolve();
  }

  async #timed(test: BrowseTest): Promise<PartSample> {
    const { samples, busyMs } = await this.#measure(test);
    return {
      test,
      samples,
      timedMs: samples.reduce((sum, ms) => sum + ms, 0),
      delivered: [],
      windowBusyMs: busyMs,
      rows: null,
      read: null,
      left: null,
      wrong: null,
    };
  }

  #measure(test: BrowseTest): Promise<Seen> {
    switch (test) {
      case 'first-rows':
      case 'sort':
      case 'filter':
        return this.#open(askedBy(test));
      case 'jump':
        return this.#jump();
      case 'scroll':
        return this.#scroll();
      case 'drag':
        return this.#drag();
    }
  }

  async #open(asked: Asked): Promise<Seen> {
    const { control } = this.#parts.run;
    await anyMoment(this.#random().next());
    const began = performance.now();
    const source = await control.wait(TableSource.open(this.#parts.database, TABLE, asked));
    try {
      const shown = this.#parts.stage.show(source);
      const isWhole = (): boolean => shown.isFull() && (asked.filter.length === 0 || source.extent.exact);
      return { samples: [(await frameWith(isWhole, control)) - began], busyMs: [] };
    } finally {
      this.#parts.stage.hide();
      source.close();
    }
  }

  async #jump(): Promise<Seen> {
    const { run } = this.#parts;
    const { grid, isFull } = await this.#show();
    const random = this.#random();
    const samples: number[] = [];
    for (const place of this.#places(JUMPS)) {
      await anyMoment(random.next());
      const began = performance.now();
      grid.scrollToTopRow(place);
      samples.push((await frameWith(isFull, run.control)) - began);
      await run.control.checkpoint();
    }
    return { samples, busyMs: [] };
  }

  async #scroll(): Promise<Seen> {
    const { control } = this.#parts.run;
    const { grid, scroller, isFull } = await this.#show();
    grid.scrollToTopRow(this.#places(1)[0]!);
    await frameWith(isFull, control);
    const samples: number[] = [];
    const busyMs: number[] = [];
    let before = (await control.wait(nextFrame())).beginsMs;
    while (samples.length < SCROLLED_FRAMES) {
      scroller.scrollTop += WHEEL_PIXELS;
      let isWhole = false;
      const frame = await control.wait(nextFrame(() => (isWhole = isFull())));
      busyMs.push(frame.busyMs);
      if (!isWhole) continue;
      samples.push(frame.beginsMs - before);
      before = frame.beginsMs;
    }
    return { samples, busyMs };
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
    return { samples, busyMs };
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

  /** Every value of what the test shows, to be compared. */
  async #compared(test: BrowseTest): Promise<PartSample> {
    const { run, database, unit } = this.#parts;
    const sink = new Sink(true);
    const source = await run.control.wait(TableSource.open(database, TABLE, askedBy(test)));
    try {
      const starts = test === 'jump' || test === 'scroll' || test === 'drag' ? places(JUMPS, unit.size, run.seed) : [0];
      for (const start of starts) sinkPage(await this.#exact(source, start, READ_ROWS), sink);
      sink.value(source.extent.rows);
    } finally {
      source.close();
    }
    const nothing = { samples: [], timedMs: 0, delivered: [], windowBusyMs: [], left: null, wrong: null };
    return { test, ...nothing, rows: sink.rows, read: sink.checksum };
  }

  /** Rows by their final places: while rows are counted, places are estimates. */
  async #exact(source: TableSource, start: number, count: number): Promise<RowsPage> {
    for (;;) {
      const page = await this.#parts.run.control.wait(source.read(start, count));
      if (page.exactPosition && page.extent.exact) return page;
      await this.#parts.run.control.wait(new Promise((resolve) => setTimeout(resolve, LOOK_MS)));
    }
  }

  /** Of this round; the same on every engine. */
  #random() {
    return createRandom(this.#parts.run.seed ^ (this.#rounds * 7919));
  }

  #places(count: number): readonly number[] {
    const { unit, run } = this.#parts;
    return places(count, unit.size, run.seed ^ (this.#rounds * 104729));
  }
}

function askedBy(test: BrowseTest): Asked {
  if (test === 'sort') return { ...PLAIN, sort: SORT };
  if (test === 'filter') return { ...PLAIN, filter: FILTER };
  return PLAIN;
}

function sinkPage({ rows }: RowsPage, sink: Sink): void {
  const reader = new PackedRowsReader(rows);
  for (let row = 0; row < rows.rowCount; row++) {
    for (let column = 0; column < rows.columnCount; column++) sink.value(reader.value(row, column));
    sink.endRow();
  }
}
