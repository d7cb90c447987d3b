// The databases a suite of the window measures: made for it, in no library, and gone with it. The native engine gets a copy of the
// file the library's engine has made, so both read the same pages.
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PRAGMA_NAMES, PROFILES, pragmaDifferences, pragmaFromSqlite } from '#shared/bench/profile.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId, Durability } from '#shared/protocol/index.ts';
import { client, libraryClient, nativeClient } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import type { AppSuiteRun, PartFacts } from '../target.ts';

/** The product's two engines, with each durability. */
export const PRODUCT_ENGINES: readonly EngineId[] = ['opfs-balanced', 'opfs-full', 'native-balanced', 'native-full'];

const NAME = 'Benchmark';

/** Fills a new database in parts, between which it can be stopped. */
type Fill = (run: (sql: string) => Promise<unknown>, suite: AppSuiteRun) => Promise<void>;

export class TemporaryDatabases {
  readonly #made = new Map<EngineId, DatabaseId>();
  readonly #comparisonCopies: string[] = [];
  readonly #fill: Fill;
  #isEnded = false;

  readonly #history: boolean;

  /** `history`: commits are measured, and recording their changes is a part of them. */
  constructor(fill: Fill, { history }: { readonly history: boolean }) {
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
export class FreshDatabases {
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
    const fill: Fill = async (sql) => void (await sql('PRAGMA user_version = 1'));
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
export async function settingsOf(
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
