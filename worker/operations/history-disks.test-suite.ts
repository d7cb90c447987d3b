// For tests: where a database and its history lie, for each engine. The library's disk is one in memory that can lose power; files in
// place are real ones, in memory where the system offers that.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Durability } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { sampleEngines } from '../engines/sample-engines.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import { memoryFolder } from '../engines/memory-folder.test-suite.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { FaultLab } from '../engines/wasm/faults/lab.test-suite.ts';
import { Histories } from '../history/histories.ts';
import type { HistoriesContext } from '../history/histories.ts';
import { openHistoryFiles } from '../native/history-files.ts';
import type { Clock } from '../sessions/clock.ts';

export interface HistoryDisk {
  readonly name: string;
  readonly id: DatabaseId;
  /** If false, a copy of the database records what is done to them. */
  readonly logsVirtualTables: boolean;
  /** Empties it. */
  start(): void;
  connect(durability: Durability): Connection;
  openHistories(clock: Clock, settings: HistoriesContext['settings']): Histories;
  /** Names of the files of the history. */
  historyFiles(): readonly string[];
}

const ID = '00000000-0000-4000-8000-000000000001';
export const HISTORY_FILE = `/history-${ID}.sqlite3`;
export const lab = await FaultLab.open();

export const libraryDisk: HistoryDisk = {
  name: 'in the library',
  id: ID,
  logsVirtualTables: true,
  start: () => lab.disk.start(null, 0),
  connect: (durability) => lab.connect(durability, `/db-${ID}.sqlite3`),
  openHistories: (clock, settings) => new Histories({ engine: lab.engine, pool: lab.pool, clock, settings }),
  historyFiles: () => lab.pool.names().filter((name) => !name.startsWith('/db-')),
};

const engine = await createNativeEngine();

/** A folder for each database; other programs can be played by opening the file once more. */
export class FileDisk implements HistoryDisk {
  readonly name: string;
  readonly id = 'file:0123456789abcdef';
  readonly logsVirtualTables = false;
  readonly #journalMode: string;
  #folder = '';

  constructor(journalMode: 'wal' | 'delete') {
    this.name = `in place, journal mode ${journalMode}`;
    this.#journalMode = journalMode;
  }

  get file(): string {
    return join(this.#folder, 'file.db');
  }

  get historyFolder(): string {
    return join(this.#folder, 'history');
  }

  start(): void {
    this.#folder = memoryFolder();
  }

  connect(durability: Durability): Connection {
    const isNew = !existsSync(this.file);
    if (isNew) this.openHistories({} as Clock);
    const connection = engine.open(this.file, { durability, create: isNew });
    if (isNew) connection.run(`PRAGMA journal_mode = ${this.#journalMode}`);
    return connection;
  }

  openHistories(clock: Clock): Histories {
    return openHistoryFiles(this.historyFolder, { engine, clock, keeps: true });
  }

  historyFiles(): readonly string[] {
    return readdirSync(this.historyFolder).map((file) => `/${file}`);
  }
}

const inPlace = [new FileDisk('wal'), new FileDisk('delete')];
export const disks: readonly HistoryDisk[] = [libraryDisk, ...inPlace];
// In the library all tests run.
sampleEngines(inPlace.map(({ name }) => name));
