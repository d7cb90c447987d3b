// Shared objects of every library operation.
import type { Engine } from '../engines/engine.ts';
import type { StandIns } from '../engines/stand-ins/stand-ins.ts';
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
  readonly standIns: StandIns;
}

/** The part of the histories that operations on one database use, also where none is kept. */
export type HistoryKeeper = Pick<Histories, 'reserve' | 'setLimits'>;

/** The part that operations on one database use. */
export type OperationContext = Pick<LibraryContext, 'files' | 'monitor' | 'clock'> & {
  readonly histories: HistoryKeeper;
};
