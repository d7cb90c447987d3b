// What every library operation works with.
import type { Engine } from '../engines/engine.ts';
import type { FilePool } from '../engines/wasm/storage/file-pool.ts';
import type { Histories } from '../history/histories.ts';
import type { Clock } from '../sessions/clock.ts';
import type { OpenDatabases } from '../sessions/open-databases.ts';
import type { WorkMonitor } from '../sessions/work-monitor.ts';
import type { Catalogue } from './catalogue.ts';
import type { FileClient } from './files.ts';

export interface LibraryContext {
  readonly engine: Engine;
  readonly pool: FilePool;
  readonly catalogue: Catalogue;
  readonly databases: OpenDatabases;
  readonly histories: Histories;
  readonly files: FileClient;
  readonly monitor: WorkMonitor;
  readonly clock: Clock;
}

/** What operations on one database use of the histories, also where none is kept. */
export type HistoryKeeper = Pick<Histories, 'reserve' | 'setLimits'>;

/** What operations on one database need of all this. */
export type OperationContext = Pick<LibraryContext, 'files' | 'monitor' | 'clock'> & {
  readonly histories: HistoryKeeper;
};
