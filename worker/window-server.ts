// Puts the parts of the worker together and serves windows.
import { isComparisonCopy } from '#shared/protocol/compare.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Port } from '#shared/rpc/port.ts';
import { ComparisonCopies } from './compare/comparison-copies.ts';
import { StandIns } from './engines/stand-ins/stand-ins.ts';
import { Histories } from './history/histories.ts';
import type { LibraryContext } from './library/context.ts';
import { marksOf } from './library/source/baseline.ts';
import { allHandlers } from './operations/all.ts';
import { ClientSession } from './operations/client-session.ts';
import { SessionServer } from './sessions/session-server.ts';
import { createClock } from './sessions/clock.ts';
import { OpenDatabases } from './sessions/open-databases.ts';
import { WorkMonitor } from './sessions/work-monitor.ts';
import type { WorkStatusBuffer } from './threads/work-status-buffer.ts';

type Parts = Pick<LibraryContext, 'engine' | 'pool' | 'catalogue' | 'files'> & {
  readonly workStatus: WorkStatusBuffer;
  readonly onBusy: () => void;
};

export class WindowServer {
  readonly #library: LibraryContext;
  readonly #server: SessionServer<ClientSession>;

  constructor({ engine, pool, catalogue, files, workStatus, onBusy }: Parts) {
    const clock = createClock();
    const monitor = new WorkMonitor(workStatus, clock, onBusy);
    const comparisonCopies = new ComparisonCopies();
    const keptMarks = (id: DatabaseId): ReturnType<typeof marksOf> => marksOf(catalogue.baselines.get(id));
    const histories = new Histories({ engine, pool, clock, settings: catalogue, keptMarks });
    const standIns = new StandIns();
    const databases = new OpenDatabases(
      {
        clock,
        monitor,
        entryOf: (id) => comparisonCopies.entry(id) ?? catalogue.entry(id),
        onChanges: (database, { tables, schema }) =>
          this.#server.broadcast('database.changed', { database, tables, schema }),
        onStateChanged: (database, state) => this.#server.broadcast('database.stateChanged', { database, state }),
        staysOpen: isComparisonCopy,
        // No history for a comparison copy, unless the history is what is measured.
        journal: (database, connection) =>
          isComparisonCopy(database.id) && !comparisonCopies.keepsHistory(database.id)
            ? null
            : histories.journalOf(database, connection),
      },
      (id) =>
        engine.open(comparisonCopies.file(id) ?? catalogue.file(id), {
          durability: (comparisonCopies.entry(id) ?? catalogue.entry(id)).durability,
          standIns: standIns.of(id),
        }),
    );
    this.#library = { engine, pool, catalogue, files, monitor, clock, databases, histories, standIns };
    const info = { engine: engine.info, crossOriginIsolated: self.crossOriginIsolated };
    this.#server = new SessionServer<ClientSession>(
      allHandlers,
      info,
      (window) =>
        new ClientSession(window, this.#library, comparisonCopies, (topic, value) =>
          this.#server.broadcast(topic, value),
        ),
    );
  }

  serve(windowId: string, port: Port): void {
    this.#server.serve(windowId, port);
  }

  /** Rolls back open transactions, empties every WAL and closes all files. */
  settle(): void {
    this.#server.endAll();
    this.#library.databases.closeAll();
    this.#library.catalogue.close();
    this.#library.pool.close();
  }
}
