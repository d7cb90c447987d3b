// What handlers receive of a window that works on files in place.
import { AppError } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { DatabaseId, Durability, LibraryEntry } from '#shared/protocol/library.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import { exportDatabase } from '../library/export.ts';
import type { ExportContext } from '../library/export.ts';
import type { ProgressCall } from '../library/long-work.ts';
import type { OpenDatabase } from '../sessions/database-session.ts';
import { guestOf } from '../sessions/guest.ts';
import type { OperationSession } from '../sessions/session.ts';
import type { ClientWindow } from '../sessions/window-session.ts';

export interface InPlaceContext extends ExportContext {
  readonly engine: EngineInfo;
  setDurability(database: DatabaseId, durability: Durability): void;
  walSizeOf(database: DatabaseId): number;
}

export class InPlaceSession implements OperationSession {
  readonly window: ClientWindow;
  readonly #context: InPlaceContext;
  #ended = false;

  constructor(window: ClientWindow, context: InPlaceContext) {
    this.window = window;
    this.#context = context;
  }

  get engine(): EngineInfo {
    return this.#context.engine;
  }

  database(id: DatabaseId): OpenDatabase {
    return this.#context.databases.of(this.window, id);
  }

  open(id: DatabaseId): OpenDatabase {
    // An open that was on its way when the window closed would never be let go.
    if (this.#ended) throw new AppError({ code: 'disconnected', message: 'The window was closed.' });
    return this.#context.databases.join(this.window, id);
  }

  close(id: DatabaseId): void {
    this.#context.databases.leave(this.window, id);
  }

  async setDurability(id: DatabaseId, durability: Durability): Promise<LibraryEntry> {
    const database = this.database(id);
    // In the queue, because SQLite changes `synchronous` only outside a transaction.
    await database.enqueue({
      window: guestOf(this.window),
      kind: 'file',
      title: 'Change of durability',
      body: ({ connection }) => connection.setDurability(durability),
    });
    this.#context.setDurability(id, durability);
    database.announceState();
    return database.entry;
  }

  walSizeOf(id: DatabaseId): number {
    return this.#context.walSizeOf(id);
  }

  exportFile(params: { readonly database: DatabaseId; readonly sink: FileToken }, call: ProgressCall) {
    return exportDatabase(this.#context, this.window, params, call);
  }

  end(): void {
    this.#ended = true;
    this.#context.databases.leaveAll(this.window);
  }
}
