// The readers of each window: numbers them, tells the window when their rows or extent change, frees them when it lets go.
import { AppError } from '#shared/protocol/errors.ts';
import type { ReaderId, ReaderInfo } from '#shared/protocol/rows.ts';
import type { TransactionChanges } from '../engines/engine.ts';
import type { DatabaseSession, WindowSession } from '../sessions/session.ts';
import type { Reader, ReaderHost } from './reader.ts';
import { throttle } from './throttle.ts';

const ROWS_CHANGED_INTERVAL_MS = 50;
const EXTENT_INTERVAL_MS = 200;

// Unlike any of a worker before this one: a window that lets go of a reader from before a restart must not hit a new one.
let lastReaderId = Date.now() * 1000;
const registries = new WeakMap<WindowSession, ReaderRegistry>();

export function readersOf(window: WindowSession): ReaderRegistry {
  let registry = registries.get(window);
  if (!registry) registries.set(window, (registry = new ReaderRegistry(window)));
  return registry;
}

interface Entry {
  readonly reader: Reader;
  dispose(): void;
}

class ReaderRegistry {
  readonly #window: WindowSession;
  readonly #readers = new Map<ReaderId, Entry>();

  constructor(window: WindowSession) {
    this.#window = window;
  }

  add<R extends Reader>(
    database: DatabaseSession,
    make: (host: ReaderHost) => R,
  ): { readonly id: ReaderId; readonly reader: R } {
    const id = ++lastReaderId;
    const rowsChanged = throttle(() => this.#window.send('rows.changed', { reader: id }), ROWS_CHANGED_INTERVAL_MS);
    const extentChanged = throttle(
      () => this.#window.send('rows.extentChanged', { reader: id, ...reader.extent }),
      EXTENT_INTERVAL_MS,
    );
    const reader = make({ database, window: this.#window, rowsChanged, extentChanged });
    const unlisten = database.onChanged((changes: TransactionChanges) => {
      const effect = reader.dependsOn(changes);
      if (effect === 'none') return;
      reader.invalidate(effect);
      rowsChanged();
    });
    const stay = database.onLeave(this.#window, () => this.close(id));
    const dispose = (): void => {
      stay();
      unlisten();
      rowsChanged.cancel();
      extentChanged.cancel();
      reader.dispose();
    };
    this.#readers.set(id, { reader, dispose });
    return { id, reader };
  }

  /** @throws AppError `not-found` */
  get(id: ReaderId): Reader {
    const entry = this.#readers.get(id);
    if (!entry)
      throw new AppError({
        code: 'not-found',
        message: 'These rows are no longer kept. Open the table or run the query again.',
      });
    return entry.reader;
  }

  close(id: ReaderId): void {
    const entry = this.#readers.get(id);
    this.#readers.delete(id);
    entry?.dispose();
  }
}

export function readerInfo(id: ReaderId, reader: Reader): ReaderInfo {
  return { reader: id, ...reader.layout, extent: reader.extent };
}
