// A history's requirements on its owner: the database, the location of its files, and a listener.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { HistoryLimits, HistoryState } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';
import type { Clock } from '../sessions/clock.ts';
import type { HistoryLocation } from './open-timeline.ts';

export interface HistoryHost extends HistoryLocation {
  readonly id: DatabaseId;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly limits: () => HistoryLimits;
  readonly tell: (state: HistoryState) => void;
  /** Makes room for the next copy ahead of time, so that its files are created while no work waits. */
  readonly makeRoom: () => void;
}
