// One engine of the product in the rounds of a suite of the window, whatever is measured of it, and what these suites have in common.
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import { Sink } from '#shared/bench/sink.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { toErrorData } from '#shared/protocol/errors.ts';
import type { DatabaseId, QueryChunk, ReaderId } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import type {
  AppSuite,
  AppSuiteRun,
  BenchUnit,
  Target,
  PartFacts,
  PartSample,
  RoundKind,
  RoundOutcome,
} from '../target.ts';
import type { RunControl } from '../control.ts';
import type { Player, Seen } from './app-test.ts';
import { whileShown } from './frames.ts';
import { PRODUCT_ENGINES, settingsOf } from './temporary-databases.ts';

/** A suite whose players are closed at its end. */
export abstract class ProductSuite implements AppSuite {
  abstract readonly tests: readonly TestFacts[];
  readonly engines = PRODUCT_ENGINES;
  readonly #players = new Set<Player>();

  abstract open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target>;

  async end(): Promise<void> {
    for (const player of this.#players) await player.close?.().catch(() => undefined); // it goes with its database
  }

  protected target(engine: EngineId, test: string, facts: PartFacts, player: Player, { control }: AppSuiteRun): Target {
    this.#players.add(player);
    return new AppTarget(engine, test, facts, player, control);
  }
}

/** Facts about a test on this database. */
export const factsOf = async (
  statements: PartFacts['statements'],
  database: DatabaseId,
  engine: EngineId,
): Promise<PartFacts> => ({ statements, rows: null, heapBytes: null, ...(await settingsOf(database, engine)) });

const NOTHING = {
  samples: [],
  timedMs: 0,
  delivered: [],
  windowBusyMs: [],
  rows: null,
  read: null,
  left: null,
  wrong: null,
};

class AppTarget implements Target {
  readonly engine: EngineId;
  readonly facts: Target['facts'];
  readonly needsScreen: boolean;
  readonly #test: string;
  readonly #player: Player;
  readonly #control: RunControl;
  #rounds = 0;

  constructor(engine: EngineId, test: string, facts: PartFacts, player: Player, control: RunControl) {
    this.engine = engine;
    this.facts = new Map([[test, facts]]);
    this.needsScreen = player.needsScreen !== false;
    this.#test = test;
    this.#player = player;
    this.#control = control;
  }

  async round(kind: RoundKind): Promise<RoundOutcome> {
    const test = this.#test;
    this.#rounds++;
    try {
      const part = kind === 'deep' ? await this.#compared() : await this.#played(kind);
      return { parts: [{ ...NOTHING, test, ...part }], failure: null };
    } catch (error) {
      const { code, message } = toErrorData(error);
      if (code === 'stopped') throw error;
      return { parts: [], failure: { test, status: code === 'unavailable' ? 'skipped' : 'failed', why: message } };
    } finally {
      this.#player.rest?.();
    }
  }

  async close(): Promise<void> {
    await this.#player.close?.();
  }

  async #played(kind: RoundKind): Promise<Partial<PartSample>> {
    const play = (): Promise<Seen> => this.#player.play(this.#rounds, kind);
    const { samples, timedMs, busyMs = [] } = this.needsScreen ? await whileShown(play, this.#control) : await play();
    return { samples, timedMs, windowBusyMs: busyMs };
  }

  async #compared(): Promise<Partial<PartSample>> {
    const sink = new Sink(true);
    await this.#player.compare(this.#rounds, sink);
    return sink.rows === 0 ? {} : { rows: sink.rows, read: sink.checksum };
  }
}

/** The first rows of the one result of a query. */
export async function queryRows(
  database: DatabaseId,
  sql: string,
  { control }: AppSuiteRun,
  count = 10,
): Promise<PackedRows> {
  let reader: ReaderId | null = null;
  const onChunk = (chunk: QueryChunk): void => {
    for (const event of chunk) if (event.kind === 'result') reader ??= event.reader.reader;
  };
  await control.wait(client.call('query.run', { database, sql }, { onChunk }));
  const { rows } = await control.wait(client.call('rows.read', { reader: reader!, start: 0, count }));
  void client.call('rows.close', { reader: reader! }).catch(() => undefined);
  return rows;
}

export function sinkRows(rows: PackedRows, sink: Sink): void {
  const reader = new PackedRowsReader(rows);
  for (let row = 0; row < rows.rowCount; row++) {
    for (let column = 0; column < rows.columnCount; column++) sink.value(reader.value(row, column));
    sink.endRow();
  }
}
