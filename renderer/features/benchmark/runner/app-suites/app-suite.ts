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
import type { AppSuite, AppSuiteRun, PartFacts, PartSample, RoundKind, RunControl, Target } from '../target.ts';
import type { Player, Seen } from './app-tests.ts';
import { whileShown } from './frames.ts';
import { GridStage } from './grid-stage.tsx';

/** Fills a new database in parts, between which it can be stopped. */
type Fill = (run: (sql: string) => Promise<unknown>, suite: AppSuiteRun, size: number) => Promise<void>;

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
export function windowSuite(suite: ProductSuite): AppSuite {
  const stage = new GridStage(suite.caption ?? '');
  const players = new Set<Player>();
  let databases: (TemporaryDatabases & { readonly size: number }) | null = null;
  const databaseOf = async (engine: EngineId, size: number, run: AppSuiteRun): Promise<DatabaseId> => {
    if (databases?.size !== size) {
      await databases?.end();
      const { fill, history } = suite.databases!;
      databases = { ...temporaryDatabases((sql, of) => fill(sql, of, size), history), size };
    }
    return databases.of(engine, run);
  };
  const playerOf = async (stand: Omit<Stand, 'database' | 'stage'>): Promise<readonly [Player, Settings]> => {
    const { test, engine, size, fresh, run } = stand;
    const alone = await suite.withoutDatabase?.(test, engine, run, (of) => databaseOf(of, size, run));
    if (alone) return [alone, { fileBytes: null, pragmas: {}, differences: [] }];
    const database = suite.databases ? await databaseOf(engine, size, run) : await fresh.next();
    const settings = await settingsOf(database, engine);
    return [await suite.player({ ...stand, database, stage }), settings];
  };
  return {
    engines: PRODUCT_ENGINES,
    tests: suite.tests,
    isOfEngine: (test) => suite.isOfEngine?.(test) ?? false,
    async open(engine, { tests, size }, run) {
      const test = tests[0]!.id;
      const statements = await suite.statements(test, size, run);
      const [player, settings] = await playerOf({ test, engine, size, fresh: freshDatabases(engine, run), run });
      players.add(player);
      return targetOf(engine, test, { statements, rows: null, heapBytes: null, ...settings }, player, run.control);
    },
    async end() {
      for (const player of players) await player.close?.().catch(() => undefined); // it goes with its database
      await suite.end?.();
      stage.end();
      await databases?.end();
      databases = null;
    },
  };
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

function targetOf(engine: EngineId, test: string, facts: PartFacts, player: Player, control: RunControl): Target {
  const needsScreen = player.needsScreen !== false;
  let rounds = 0;
  const played = async (kind: RoundKind): Promise<Partial<PartSample>> => {
    const play = (): Promise<Seen> => player.play(rounds, kind);
    const { samples, timedMs, busyMs = [] } = needsScreen ? await whileShown(play, control) : await play();
    return { samples, timedMs, windowBusyMs: busyMs };
  };
  const compared = async (): Promise<Partial<PartSample>> => {
    const sink = new Sink(true);
    await player.compare(rounds, sink);
    return sink.rows === 0 ? {} : { rows: sink.rows, read: sink.checksum };
  };
  return {
    engine,
    facts: new Map([[test, facts]]),
    needsScreen,
    async round(kind) {
      rounds++;
      try {
        const part = kind === 'deep' ? await compared() : await played(kind);
        return { parts: [{ ...NOTHING, test, ...part }], failure: null };
      } catch (error) {
        const { code, message } = toErrorData(error);
        if (code === 'stopped') throw error;
        return { parts: [], failure: { test, status: code === 'unavailable' ? 'skipped' : 'failed', why: message } };
      } finally {
        player.rest?.();
      }
    },
    close: async () => player.close?.(),
  };
}

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

interface TemporaryDatabases {
  /** Returns the same database for every call. @throws AppError `unavailable` if there is no such engine */
  of(engine: EngineId, run: AppSuiteRun): Promise<DatabaseId>;
  end(): Promise<void>;
}

/** The native engine gets a copy of the file that the library's engine has made, so both read the same pages. */
function temporaryDatabases(fill: FillEngine, history: boolean): TemporaryDatabases {
  const all = new Map<EngineId, DatabaseId>();
  const copies: string[] = [];
  let isEnded = false;
  const makeWasm = async (engine: EngineId, run: AppSuiteRun): Promise<DatabaseId> => {
    await libraryClient.answered();
    const order = { name: NAME, durability: durabilityOf(engine), history };
    const { database } = await client.call('compare.emptyComparisonCopy', order);
    try {
      await fill((sql) => client.call('query.run', { database, sql }), run);
    } catch (error) {
      await client.call('compare.closeComparisonCopy', { database }).catch(() => undefined);
      throw error;
    }
    return database;
  };
  const makeNative = async (engine: EngineId, run: AppSuiteRun): Promise<DatabaseId> => {
    const reply = await shell.createComparisonCopy();
    if ('why' in reply) throw AppError.unavailable(reply.why);
    copies.push(reply.comparisonCopy);
    await nativeClient.answered();
    const durability = durabilityOf(engine);
    const from = await databaseOf(`opfs-${durability}`, run);
    run.tell('copying the file for the native engine');
    await client.call('compare.copyOut', { database: from, sink: reply.sink });
    const database = await shell.openComparisonCopy(reply.comparisonCopy, NAME);
    if (database === null) throw AppError.io('The copy for the native engine no longer exists.');
    await client.call('compare.openComparisonCopy', { database, history });
    await client.call('library.setDurability', { database, durability });
    return database;
  };
  const databaseOf = async (engine: EngineId, run: AppSuiteRun): Promise<DatabaseId> => {
    const known = all.get(engine);
    if (known !== undefined) return known;
    const made = engine.startsWith('opfs') ? await makeWasm(engine, run) : await makeNative(engine, run);
    all.set(engine, made);
    if (isEnded) await end();
    return made;
  };
  const end = async (): Promise<void> => {
    isEnded = true;
    for (const database of all.values()) {
      // Also close what the window has open, so that it is not opened again after a lost connection.
      await client.call('database.close', { database }).catch(() => undefined);
      await client.call('compare.closeComparisonCopy', { database }).catch(() => undefined);
    }
    all.clear();
    for (const copy of copies.splice(0)) await shell.removeComparisonCopy(copy).catch(() => undefined); // it goes with the window
  };
  return { of: databaseOf, end };
}

interface FreshDatabases {
  next(): Promise<DatabaseId>;
  end(): Promise<void>;
}

/** An empty database for each round of a suite whose tests create their tables. It keeps a history, like a user's database. */
function freshDatabases(engine: EngineId, run: AppSuiteRun): FreshDatabases {
  let made: TemporaryDatabases | null = null;
  return {
    async next() {
      await made?.end();
      // A file without a page has no settings yet.
      made = temporaryDatabases(async (sql) => void (await sql('PRAGMA user_version = 1')), true);
      return made.of(engine, run);
    },
    async end() {
      await made?.end();
      made = null;
    },
  };
}

const durabilityOf = (engine: EngineId): Durability => (engineOf(engine)?.profile === 'full' ? 'full' : 'balanced');

type Settings = Pick<PartFacts, 'pragmas' | 'differences' | 'fileBytes'>;

/** Settings that the connection reports, and how they differ from those of its profile. */
async function settingsOf(database: DatabaseId, engine: EngineId): Promise<Settings> {
  const found = (await client.call('compare.facts', { database })).pragmas;
  const pragmas = Object.fromEntries(
    PRAGMA_NAMES.filter((name) => found[name] !== undefined).map((name) => [name, pragmaFromSqlite(name, found[name])]),
  ) as Partial<Pragmas>;
  const { sizeBytes } = await client.call('compare.mark', { database });
  return { fileBytes: sizeBytes, pragmas, differences: pragmaDifferences(PROFILES[durabilityOf(engine)], pragmas) };
}
