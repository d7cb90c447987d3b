// The histories of all open databases, the limits they share, and the files they own.
import { COPY_PREFIX } from '#shared/protocol/compare.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { HistoryLimits, HistoryState } from '#shared/protocol/history.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection } from '../engines/engine.ts';
import type { Clock } from '../sessions/clock.ts';
import type { CommitJournal } from '../sessions/journal.ts';
import type { DatabaseSession } from '../sessions/session.ts';
import { History } from './history.ts';
import type { HistoryLocation } from './open-timeline.ts';

const DEFAULT_LIMITS: HistoryLimits = { totalBytes: 500e6, stepBytes: 64e6 };

/** A history with its WAL, a copy with its WAL, and what the next step needs. */
const SPARE_DATABASES = 4;
const LIMITS_KEY = 'history.limits';
const MIN_BYTES = 1e6;
const MAX_BYTES = 1e12;
/** A step of changes is read into memory as a whole. */
const MAX_STEP_BYTES = 500e6;

export interface HistoriesContext extends HistoryLocation {
  readonly clock: Clock;
  /** Storage for the limits. */
  readonly settings: { getState(key: string): string | null; putState(key: string, value: string | null): void };
}

const histories = new WeakMap<DatabaseSession, History>();

/** @throws AppError `unavailable` where no history is kept */
export function historyOf(database: DatabaseSession): History {
  const history = histories.get(database);
  if (history) return history;
  fail('unavailable', 'This file is read-only here, so there is nothing to undo.');
}

export function historyIfAny(database: DatabaseSession): History | null {
  return histories.get(database) ?? null;
}

export class Histories {
  readonly #context: HistoriesContext;
  readonly #open = new Set<History>();
  #limits: HistoryLimits;

  constructor(context: HistoriesContext) {
    this.#context = context;
    this.#limits = readLimits(context.settings.getState(LIMITS_KEY));
  }

  /** Call with each database that opens. */
  readonly journalOf = (database: DatabaseSession, connection: Connection): CommitJournal => {
    const tell = (state: HistoryState): void => {
      for (const window of database.windows) window.send('history.changed', { database: database.id, state });
    };
    // If there is no room, the next copy reports that or replaces the oldest one.
    const makeRoom = (): void => void this.reserve().catch(() => undefined);
    const limits = (): HistoryLimits => this.#limits;
    const history = new History({ ...this.#context, id: database.id, connection, limits, tell, makeRoom });
    histories.set(database, history);
    this.#open.add(history);
    history.onClose(() => this.#open.delete(history));
    return history;
  };

  get limits(): HistoryLimits {
    return this.#limits;
  }

  setLimits(limits: HistoryLimits): void {
    const { totalBytes, stepBytes } = limits;
    if (!isSize(totalBytes, MAX_BYTES) || !isSize(stepBytes, MAX_STEP_BYTES))
      fail(
        'invalid',
        'The history can keep between 1 MB and 1 TB, and between 1 MB and 500 MB per step. Nothing was changed.',
      );
    // Every window sends it when it connects.
    if (totalBytes === this.#limits.totalBytes && stepBytes === this.#limits.stepBytes) return;
    this.#context.settings.putState(LIMITS_KEY, JSON.stringify({ totalBytes, stepBytes }));
    this.#limits = { totalBytes, stepBytes };
    for (const history of this.#open) history.limitsChanged();
  }

  /** Removes the history of a comparison copy, which must not be open. */
  forget(comparisonCopy: DatabaseId): void {
    const { pool } = this.#context;
    for (const name of pool.names()) if (isOfComparisonCopy(name, comparisonCopy)) pool.remove(name);
  }

  /** Makes sure that the pool has room for a history and for the copy before its next step. */
  async reserve(): Promise<void> {
    const { pool } = this.#context;
    await pool.reserve(Math.ceil(pool.names().length / 2) + SPARE_DATABASES);
  }
}

/** Every file that belongs to the history of `database`, which must not be open. */
export function removeHistory(pool: HistoryLocation['pool'], database: DatabaseId): void {
  for (const name of pool.names()) if (ownerOf(name) === database && !name.endsWith('-wal')) pool.remove(name);
}

/** The database that a file of a history belongs to; null for other files. */
export function ownerOf(file: string): DatabaseId | null {
  return /^\/(?:history|snapshot)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[-.]/.exec(file)?.[1] ?? null;
}

const OF_COPY = new RegExp(`^/(?:history|snapshot)-(${COPY_PREFIX}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[-.]`);

/** Whether the file belongs to `comparisonCopy`, or to any comparison copy without it. */
export function isOfComparisonCopy(file: string, comparisonCopy?: DatabaseId): boolean {
  const owner = OF_COPY.exec(file)?.[1];
  return owner !== undefined && (comparisonCopy === undefined || owner === comparisonCopy) && !file.endsWith('-wal');
}

function isSize(bytes: number, max: number): boolean {
  return Number.isSafeInteger(bytes) && bytes >= MIN_BYTES && bytes <= max;
}

function readLimits(text: string | null): HistoryLimits {
  try {
    const { totalBytes, stepBytes } = JSON.parse(text ?? '{}') as Partial<HistoryLimits>;
    if (isSize(totalBytes ?? 0, MAX_BYTES) && isSize(stepBytes ?? 0, MAX_STEP_BYTES))
      return { totalBytes: totalBytes!, stepBytes: stepBytes! };
  } catch {
    // An unreadable setting counts as unset.
  }
  return DEFAULT_LIMITS;
}
