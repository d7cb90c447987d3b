// The `context.session` of handlers: one window, the databases it has open, the library.
import { fail } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { EngineInfo, Events } from '#shared/protocol/session.ts';
import type { ComparisonCopies } from '../compare/comparison-copies.ts';
import type { LibraryContext } from '../library/context.ts';
import { filesOf } from '../library/files.ts';
import { openScratch, type ScratchDatabase } from '../library/scratch.ts';
import type { OpenDatabase } from '../sessions/database-session.ts';
import type { OperationSession } from '../sessions/session.ts';
import { closeSourcesOf } from '../transfer/opened-sources.ts';
import { poolScratch, type ScratchStore } from '../transfer/scratch.ts';
import type { ClientWindow } from '../sessions/window-session.ts';

/** Sends to all windows. */
type Broadcast = <T extends keyof Events>(topic: T, value: Events[T]) => void;

export class ClientSession implements OperationSession {
  readonly window: ClientWindow;
  readonly library: LibraryContext;
  readonly comparisonCopies: ComparisonCopies;
  readonly scratchStore: ScratchStore;
  readonly #broadcast: Broadcast;
  #ended = false;

  constructor(window: ClientWindow, library: LibraryContext, comparisonCopies: ComparisonCopies, broadcast: Broadcast) {
    this.window = window;
    this.library = { ...library, files: filesOf(library.files, window) };
    this.comparisonCopies = comparisonCopies;
    this.scratchStore = poolScratch(library);
    this.#broadcast = broadcast;
  }

  get engine(): EngineInfo {
    return this.library.engine.info;
  }

  database(id: DatabaseId): OpenDatabase {
    return this.library.databases.of(this.window, id);
  }

  scratch(): Promise<ScratchDatabase> {
    return openScratch(this.library);
  }

  open(id: DatabaseId): OpenDatabase {
    // A pending open would never be closed after the window is gone.
    if (this.#ended) fail('disconnected', 'The window was closed.');
    const database = this.library.databases.join(this.window, id);
    try {
      this.library.catalogue.touch(id);
    } catch {
      // A full disk is no reason not to read a database; it only keeps its place in the list.
    }
    this.#broadcast('library.changed', null);
    return database;
  }

  show(ids: readonly DatabaseId[]): Promise<void> {
    return this.library.databases.show(this.window, ids);
  }

  close(id: DatabaseId): void {
    this.library.databases.leave(this.window, id);
  }

  /** Notifies every window that the list has changed, then returns `result`. */
  announce<T>(result: T): T {
    this.#broadcast('library.changed', null);
    return result;
  }

  announceRun(id: string): void {
    this.#broadcast('benchmark.changed', { id });
  }

  /** @param id of the run that began or ended; null when runs were deleted */
  announceLoggedRun(id: number | null): void {
    this.#broadcast('queryLog.changed', { id });
  }

  announceSavedQueries(): void {
    this.#broadcast('savedQuery.changed', null);
  }

  announceHeld(database: DatabaseId): void {
    this.#broadcast('held.changed', { database });
  }

  end(): void {
    this.#ended = true;
    this.library.catalogue.queryLog.leave(this.window);
    for (const database of this.library.catalogue.held.leave(this.window)) this.announceHeld(database);
    this.comparisonCopies.closeAllOf(this.library, this.window);
    closeSourcesOf(this.window);
    this.library.databases.leaveAll(this.window);
  }
}
