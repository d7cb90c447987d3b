// What the suites of the window have in common: each is data and players; here it becomes something that a run can measure, on databases made
// for it, in no library, and gone with it, and with the frames of the window as the user gets them.
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PRAGMA_NAMES, PROFILES, pragmaDifferences, pragmaFromSqlite } from '#shared/bench/profile.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import { Sink } from '#shared/bench/sink.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { toErrorData } from '#shared/protocol/errors.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId, Durability, QueryChunk, ReaderId } from '#shared/protocol/index.ts';
import { client, libraryClient, nativeClient } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import type {
  AppSuite,
  AppSuiteRun,
  BenchUnit,
  PartFacts,
  PartSample,
  RoundKind,
  RoundOutcome,
  RunControl,
  Target,
} from '../target.ts';
import type { Player, Seen } from './app-tests.ts';
import { whileShown } from './frames.ts';
import { GridStage } from './grid-stage.tsx';

/** Fills a new database in parts, between which it can be stopped. */
type Fill = (run: (sql: string) => Promise<unknown>, suite: AppSuiteRun, size: number) => Promise<void>;

/** A suite of the window, made anew for each run. */
export interface ProductSuite {
  readonly tests: readonly TestFacts[];
  /** Tests that do not use the window: each engine's driver runs them. Missing: there are none. */
  readonly isOfEngine?: (test: string) => boolean;
  /** What the user reads above the grid that is measured. Missing: there is no grid. */
  readonly caption?: string;
  /**
   * How the one database of each engine and size is filled; with a `history` if commits are measured, because recording their changes is a part
   * of them. Missing: each round takes an empty database of its own, see {@link Stand.fresh}.
   */
  readonly databases?: { readonly fill: Fill; readonly history: boolean };
  statements(test: string, size: number, run: AppSuiteRun): PartFacts['statements'] | Promise<PartFacts['statements']>;
  player(stand: Stand): Player | Promise<Player>;
  /** A player that needs no database. Missing, or null: there is none for this test. */
  withoutDatabase?(test: string, engine: EngineId, run: AppSuiteRun, databaseOf: DatabaseOf): Promise<Player | null>;
  end?(): Promise<void>;
}

type DatabaseOf = (engine: EngineId) => Promise<DatabaseId>;

/** What a player has: one test on one engine, at one size. */
export interface Stand {
  readonly test: string;
  readonly engine: EngineId;
  readonly size: number;
  /** The database of the engine, or the first of {@link Stand.fresh}. */
  readonly database: DatabaseId;
  readonly fresh: FreshDatabases;
  readonly run: AppSuiteRun;
  readonly stage: GridStage;
}

/** A suite of the window in a run: makes its databases, and closes its players at its end. */
export class WindowSuite implements AppSuite {
  readonly engines = PRODUCT_ENGINES;
  readonly #suite: ProductSuite;
  readonly #stage: GridStage;
  readonly #players = new Set<Player>();
  #databases: { readonly size: number; readonly made: TemporaryDatabases } | null = null;

  constructor(suite: ProductSuite) {
    this.#suite = suite;
    this.#stage = new GridStage(suite.caption ?? '');
  }

  get tests(): readonly TestFacts[] {
    return this.#suite.tests;
  }

  isOfEngine(test: string): boolean {
    return this.#suite.isOfEngine?.(test) ?? false;
  }

  async open(engine: EngineId, { tests, size }: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const test = tests[0]!.id;
    const suite = this.#suite;
    const statements = await suite.statements(test, size, run);
    const alone = await suite.withoutDatabase?.(test, engine, run, (of) => this.#database(of, size, run));
    if (alone) {
      const nothing = { rows: null, heapBytes: null, fileBytes: null, pragmas: {}, differences: [] };
      return this.#target(engine, test, { statements, ...nothing }, alone, run);
    }
    const fresh = new FreshDatabases(engine, run);
    const database = suite.databases ? await this.#database(engine, size, run) : await fresh.next();
    const facts = { statements, rows: null, heapBytes: null, ...(await settingsOf(database, engine)) };
    const player = await suite.player({ test, engine, size, database, fresh, run, stage: this.#stage });
    return this.#target(engine, test, facts, player, run);
  }

  async end(): Promise<void> {
    for (const player of this.#players) await player.close?.().catch(() => undefined); // it goes with its database
    await this.#suite.end?.();
    this.#stage.end();
    await this.#databases?.made.end();
    this.#databases = null;
  }

  async #database(engine: EngineId, size: number, run: AppSuiteRun): Promise<DatabaseId> {
    if (this.#databases?.size !== size) {
      await this.#databases?.made.end();
      const { fill, history } = this.#suite.databases!;
      this.#databases = { size, made: new TemporaryDatabases((sql, suite) => fill(sql, suite, size), { history }) };
    }
    return this.#databases.made.of(engine, run);
  }

  #target(engine: EngineId, test: string, facts: PartFacts, player: Player, { control }: AppSuiteRun): Target {
    this.#players.add(player);
    return new AppTarget(engine, test, facts, player, control);
  }
}

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

/** The product's two engines, with each durability. */
const PRODUCT_ENGINES: readonly EngineId[] = ['opfs-balanced', 'opfs-full', 'native-balanced', 'native-full'];

const NAME = 'Benchmark';

type FillEngine = (run: (sql: string) => Promise<unknown>, suite: AppSuiteRun) => Promise<void>;

/** The native engine gets a copy of the file that the library's engine has made, so both read the same pages. */
class TemporaryDatabases {
  readonly #made = new Map<EngineId, DatabaseId>();
  readonly #comparisonCopies: string[] = [];
  readonly #fill: FillEngine;
  #isEnded = false;

  readonly #history: boolean;

  /** `history`: commits are measured, and recording their changes is a part of them. */
  constructor(fill: FillEngine, { history }: { readonly history: boolean }) {
    this.#fill = fill;
    this.#history = history;
  }

  /** Returns the same database for every call. @throws AppError `unavailable` if there is no such engine */
  async of(engine: EngineId, run: AppSuiteRun): Promise<DatabaseId> {
    const known = this.#made.get(engine);
    if (known !== undefined) return known;
    const made = engine.startsWith('opfs') ? await this.#makeWasm(engine, run) : await this.#makeNative(engine, run);
    this.#made.set(engine, made);
    if (this.#isEnded) await this.end();
    return made;
  }

  /** Removes all of them. */
  async end(): Promise<void> {
    this.#isEnded = true;
    for (const database of this.#made.values()) {
      // Also close what the window has open, so that it is not opened again after a lost connection.
      await client.call('database.close', { database }).catch(() => undefined);
      await client.call('compare.closeComparisonCopy', { database }).catch(() => undefined);
    }
    this.#made.clear();
    for (const comparisonCopy of this.#comparisonCopies.splice(0))
      await shell.removeComparisonCopy(comparisonCopy).catch(() => undefined); // it goes with the window
  }

  async #makeWasm(engine: EngineId, run: AppSuiteRun): Promise<DatabaseId> {
    await libraryClient.answered();
    const { database } = await client.call('compare.emptyComparisonCopy', {
      name: NAME,
      durability: durabilityOf(engine),
      history: this.#history,
    });
    try {
      await this.#fill((sql) => client.call('query.run', { database, sql }), run);
    } catch (error) {
      await client.call('compare.closeComparisonCopy', { database }).catch(() => undefined);
      throw error;
    }
    return database;
  }

  async #makeNative(engine: EngineId, run: AppSuiteRun): Promise<DatabaseId> {
    const reply = await shell.createComparisonCopy();
    if ('why' in reply) throw AppError.unavailable(reply.why);
    this.#comparisonCopies.push(reply.comparisonCopy);
    await nativeClient.answered();
    const from = await this.of(`opfs-${durabilityOf(engine)}`, run);
    run.tell('copying the file for the native engine');
    await client.call('compare.copyOut', { database: from, sink: reply.sink });
    const database = await shell.openComparisonCopy(reply.comparisonCopy, NAME);
    if (database === null) throw AppError.io('The copy for the native engine no longer exists.');
    await client.call('compare.openComparisonCopy', { database, history: this.#history });
    await client.call('library.setDurability', { database, durability: durabilityOf(engine) });
    return database;
  }
}

/** An empty database for each round of a suite whose tests create their tables. It keeps a history, like a user's database. */
class FreshDatabases {
  readonly #engine: EngineId;
  readonly #run: AppSuiteRun;
  #databases: TemporaryDatabases | null = null;

  constructor(engine: EngineId, run: AppSuiteRun) {
    this.#engine = engine;
    this.#run = run;
  }

  async next(): Promise<DatabaseId> {
    await this.end();
    // A file without a page has no settings yet.
    const fill: FillEngine = async (sql) => void (await sql('PRAGMA user_version = 1'));
    this.#databases = new TemporaryDatabases(fill, { history: true });
    return this.#databases.of(this.#engine, this.#run);
  }

  async end(): Promise<void> {
    await this.#databases?.end();
    this.#databases = null;
  }
}

const durabilityOf = (engine: EngineId): Durability => (engineOf(engine)?.profile === 'full' ? 'full' : 'balanced');

/** Settings that the connection reports, and how they differ from those of its profile. */
async function settingsOf(
  database: DatabaseId,
  engine: EngineId,
): Promise<Pick<PartFacts, 'pragmas' | 'differences' | 'fileBytes'>> {
  const found = (await client.call('compare.facts', { database })).pragmas;
  const pragmas = Object.fromEntries(
    PRAGMA_NAMES.filter((name) => found[name] !== undefined).map((name) => [name, pragmaFromSqlite(name, found[name])]),
  ) as Partial<Pragmas>;
  const { sizeBytes } = await client.call('compare.mark', { database });
  return { fileBytes: sizeBytes, pragmas, differences: pragmaDifferences(PROFILES[durabilityOf(engine)], pragmas) };
}
