// The readers of each window: numbers them, keeps their watched rows up to date, tells the window what else has become stale, and frees
// them when the window closes them.
import { AppError } from '#shared/protocol/errors.ts';
import type { FollowState, LiveCounters } from '#shared/protocol/live.ts';
import type { ReaderId, ReaderInfo } from '#shared/protocol/rows.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { Reader, ReaderHost } from '../readers/reader.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import type { DatabaseSession, WindowSession } from '../sessions/session.ts';
import { throttle } from '../sessions/clock.ts';
import { Watch, Tally } from './watch.ts';

const ROWS_CHANGED_INTERVAL_MS = 50;
const EXTENT_INTERVAL_MS = 200;
const STATUS_INTERVAL_MS = 50;

// Different from all ids of earlier workers: a window that closes a reader from before a restart must not close a new one.
let lastReaderId = Date.now() * 1000;
/** Moves the numbers of a second server, whose readers reach the same windows, out of the way of the first. */
export function numberReadersFrom(distance: number): void {
  lastReaderId += distance;
}

/** Sets the first number for a server of which there can be several. */
export function startReadersAt(first: number): void {
  lastReaderId = first;
}

const registries = new WeakMap<WindowSession, ReaderRegistry>();
/** Entries of all windows. */
const entriesOf = new WeakMap<DatabaseSession, Set<Entry>>();

export function readersOf(window: WindowSession): ReaderRegistry {
  let registry = registries.get(window);
  if (!registry) registries.set(window, (registry = new ReaderRegistry(window)));
  return registry;
}

/** Costs of keeping each reader of `database` up to date. */
export function liveCountersOf(database: DatabaseSession): LiveCounters[] {
  return Array.from(entriesOf.get(database) ?? [], (entry) => ({
    reader: entry.id,
    windowId: entry.window.windowId,
    title: entry.reader.title,
    state: followState(entry),
    ...entry.tally.counters,
  }));
}

/** Tables of `database` whose rows are on the screen of a window, as far as their readers know them. */
export function watchedTablesOf(database: DatabaseSession): readonly string[] {
  const tables = new Set<string>();
  for (const { watch, reader } of entriesOf.get(database) ?? [])
    if (watch.isActive) for (const table of reader.tables ?? []) tables.add(table);
  return [...tables];
}

function followState({ reader, watch }: Entry): FollowState {
  const own = reader instanceof SpooledReader ? reader.status : null;
  if (own && own.state !== 'live') return own.state;
  if (!watch.isActive) return 'hidden';
  return watch.isSettled && !own?.stale ? 'live' : 'waits';
}

interface Entry {
  readonly id: ReaderId;
  readonly window: WindowSession;
  readonly reader: Reader;
  readonly watch: Watch;
  readonly tally: Tally;
  dispose(): void;
}

class ReaderRegistry {
  readonly #window: WindowSession;
  readonly #entries = new Map<ReaderId, Entry>();

  constructor(window: WindowSession) {
    this.#window = window;
  }

  add<R extends Reader>(
    database: DatabaseSession,
    make: (host: ReaderHost) => R,
  ): { readonly id: ReaderId; readonly reader: R } {
    const window = this.#window;
    const id = ++lastReaderId;
    const rowsChanged = throttle(() => window.send('rows.changed', { reader: id }), ROWS_CHANGED_INTERVAL_MS);
    const extentChanged = throttle(
      () => window.send('rows.extentChanged', { reader: id, ...reader.extent }),
      EXTENT_INTERVAL_MS,
    );
    const liveChanged = throttle(() => {
      if (reader instanceof SpooledReader) window.send('live.stateChanged', { reader: id, ...reader.status });
    }, STATUS_INTERVAL_MS);
    const changed = (): void => {
      rowsChanged();
      watch.touch();
    };
    const reader = make({ database, window, rowsChanged: changed, extentChanged, liveChanged });
    const tally = new Tally();
    const watch = new Watch(reader, tally, {
      patched: (patch) => window.send('rows.patched', { reader: id, ...patch }),
      extentChanged,
    });
    const unlisten = database.onChanged((changes: TransactionChanges) => {
      const effect = reader.noteChanges(changes);
      watch.noteChange(effect);
      // A reader that has to run again first reports when it has.
      if (effect && !(reader.freshen && watch.isActive)) rowsChanged();
    });
    const stay = database.onLeave(window, () => this.close(id));
    const letRest = database.keepOpenWhile(() => watch.isActive);
    const entries = entriesOf.get(database) ?? new Set();
    entriesOf.set(database, entries);
    const dispose = (): void => {
      entries.delete(entry);
      stay();
      letRest();
      unlisten();
      watch.end();
      for (const notice of [rowsChanged, extentChanged, liveChanged]) notice.cancel();
      reader.dispose();
    };
    const entry = { id, window, reader, watch, tally, dispose };
    entries.add(entry);
    this.#entries.set(id, entry);
    return { id, reader };
  }

  /** @throws AppError `not-found` */
  get(id: ReaderId): Reader {
    return this.#entry(id).reader;
  }

  /** @throws AppError `not-found` */
  watchOf(id: ReaderId): Watch {
    return this.#entry(id).watch;
  }

  close(id: ReaderId): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.dispose();
  }

  #entry(id: ReaderId): Entry {
    const entry = this.#entries.get(id);
    if (entry) return entry;
    throw AppError.notFound('These rows are no longer kept. Open the table or run the query again.');
  }
}

export function readerInfo(id: ReaderId, reader: Reader): ReaderInfo {
  return { reader: id, ...reader.layout, extent: reader.extent };
}
