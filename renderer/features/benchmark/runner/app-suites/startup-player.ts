// One engine of the product in a round of `startup`, in the app that runs: started, opened and asked for the first time.
import type { EngineId } from '#shared/bench/engines.ts';
import type { Sink } from '#shared/bench/sink.ts';
import type { DatabaseId, QueryChunk, ReaderId, RowsPage } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import { TableSource } from '../../../../workbench/rows/table-source.ts';
import type { AppSuiteRun, PartFacts, RoundKind } from '../target.ts';
import { sinkRows } from './app-target.ts';
import type { Player, Seen } from './app-target.ts';
import { TABLE } from './browse-table.ts';
import type { TakeStart } from './engine-starts.ts';
import { frameWith } from './frames.ts';
import type { GridStage } from './grid-stage.tsx';
import { QUERY } from './startup-tests.ts';
import type { EngineTest } from './startup-tests.ts';

interface Parts {
  readonly test: EngineTest;
  readonly engine: EngineId;
  readonly database: DatabaseId;
  readonly facts: PartFacts;
  readonly takeStart: TakeStart;
  readonly run: AppSuiteRun;
  readonly stage: GridStage;
}

const FOURTH = 4;
const ROWS = 200;

export class StartupPlayer implements Player {
  readonly test: EngineTest;
  readonly facts: PartFacts;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.test = parts.test;
    this.facts = parts.facts;
    this.#parts = parts;
  }

  async play(_round: number, kind: RoundKind): Promise<Seen> {
    const { takeStart, run } = this.#parts;
    switch (this.test) {
      case 'engine':
        return seen((await takeStart(kind, run.control)).ms);
      case 'compile':
        return seen((await takeStart(kind, run.control)).codeMs);
      case 'open-rows':
        return seen(await this.#openRows());
      case 'query-first':
        return seen(await this.#query(1));
      case 'query-fourth':
        return seen(await this.#query(FOURTH));
    }
  }

  async compare(_round: number, sink: Sink): Promise<void> {
    if (this.test === 'engine' || this.test === 'compile') return;
    await this.#opened();
    sinkRows((await this.#ask()).rows, sink);
  }

  rest(): void {
    this.#parts.stage.hide();
  }

  async close(): Promise<void> {
    // Open again, as before.
    await this.#opened();
  }

  async #openRows(): Promise<number> {
    const { run, database, stage } = this.#parts;
    await this.#call('database.close');
    const began = performance.now();
    await this.#call('database.open');
    const source = await run.control.wait(TableSource.open(database, TABLE, { sort: [], filter: [], where: '' }));
    try {
      const { isFull } = stage.show(source);
      return (await frameWith(isFull, run.control)) - began;
    } finally {
      stage.hide();
      source.close();
    }
  }

  /** Duration of the last of `times` queries, in milliseconds. */
  async #query(times: number): Promise<number> {
    await this.#call('database.close');
    await this.#opened();
    let ms = 0;
    for (let time = 1; time <= times; time++) {
      const began = performance.now();
      await this.#ask();
      ms = performance.now() - began;
    }
    return ms;
  }

  async #ask(): Promise<RowsPage> {
    const { run, database } = this.#parts;
    let reader: ReaderId | null = null;
    const onChunk = (chunk: QueryChunk): void => {
      for (const event of chunk) if (event.kind === 'result') reader ??= event.reader.reader;
    };
    await run.control.wait(client.call('query.run', { database, sql: QUERY }, { onChunk }));
    const page = await run.control.wait(client.call('rows.read', { reader: reader!, start: 0, count: ROWS }));
    void client.call('rows.close', { reader: reader! }).catch(() => undefined);
    return page;
  }

  async #opened(): Promise<void> {
    await this.#call('database.open');
  }

  #call(op: 'database.open' | 'database.close'): Promise<unknown> {
    const { run, database } = this.#parts;
    return run.control.wait(client.call(op, { database }));
  }
}

const seen = (ms: number): Seen => ({ samples: [ms], timedMs: ms });
