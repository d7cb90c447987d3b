// Puts the parts of the worker together and serves windows: a session each, events to all.
import type { Operations } from '#shared/protocol/index.ts';
import type { Events, HelloInfo } from '#shared/protocol/session.ts';
import { packedRowsTransfers } from '#shared/packed-rows/format.ts';
import type { Port } from '#shared/rpc/port.ts';
import { serve } from '#shared/rpc/server.ts';
import { Histories } from './history/histories.ts';
import type { LibraryContext } from './library/context.ts';
import { allHandlers } from './operations/all.ts';
import { ClientSession } from './operations/client-session.ts';
import { createClock } from './sessions/clock.ts';
import { OpenDatabases } from './sessions/open-databases.ts';
import { ClientWindow } from './sessions/window-session.ts';
import { WorkMonitor } from './sessions/work-monitor.ts';
import type { WorkBoard } from './work-board.ts';

type Parts = Pick<LibraryContext, 'engine' | 'pool' | 'catalogue' | 'files'> & {
  readonly board: WorkBoard;
  readonly onBusy: () => void;
};

export class WindowServer {
  readonly #library: LibraryContext;
  readonly #info: HelloInfo;
  readonly #sessions = new Set<ClientSession>();

  constructor({ engine, pool, catalogue, files, board, onBusy }: Parts) {
    const clock = createClock();
    const monitor = new WorkMonitor(board, clock, onBusy);
    const histories = new Histories({ engine, pool, clock, settings: catalogue });
    const databases = new OpenDatabases(
      {
        clock,
        monitor,
        entryOf: (id) => catalogue.entry(id),
        onChanges: (database, { tables, schema }) => this.#broadcast('database.changed', { database, tables, schema }),
        onStateChanged: (database, state) => this.#broadcast('database.stateChanged', { database, state }),
        journal: histories.journalOf,
      },
      (id) => engine.open(catalogue.file(id), { durability: catalogue.entry(id).durability }),
    );
    this.#library = { engine, pool, catalogue, files, monitor, clock, databases, histories };
    this.#info = { engine: engine.info, crossOriginIsolated: self.crossOriginIsolated };
  }

  serve(windowId: string, port: Port): void {
    // A window that was reloaded is back before its old port is known to be closed.
    for (const session of this.#sessions) if (session.window.windowId === windowId) this.#end(session);
    const window = new ClientWindow(windowId, (topic, value) => server.send(topic, value));
    const session = new ClientSession(window, this.#library, () => this.#broadcast('library.changed', null));
    this.#sessions.add(session);
    const server = serve<Operations, Events, ClientSession>(port, allHandlers, {
      info: this.#info,
      session,
      transfers,
      onClose: () => this.#end(session),
    });
  }

  /** Rolls back what is open, empties every WAL and closes all files. */
  settle(): void {
    for (const session of this.#sessions) this.#end(session);
    this.#library.databases.closeAll();
    this.#library.catalogue.close();
    this.#library.pool.close();
  }

  #end(session: ClientSession): void {
    if (this.#sessions.delete(session)) session.end();
  }

  #broadcast<T extends keyof Events>(topic: T, value: Events[T]): void {
    for (const session of this.#sessions) session.window.send(topic, value);
  }
}

/** Pages of rows are moved; everything else is small or kept. */
function transfers(value: unknown): readonly ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('page' in value) return transfers(value.page);
  if (!('rows' in value)) return [];
  const { rows } = value;
  return typeof rows === 'object' && rows !== null && 'slots' in rows ? packedRowsTransfers(rows as never) : [];
}
