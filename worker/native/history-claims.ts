// Decides which process keeps the history of a file in place: one at a time, because each holds the file's position in it in memory.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { isRunning, runningProcess, type RunningProcess } from '#shared/running-process.ts';
import type { CommitJournal } from '../sessions/journal.ts';
import { PROCESSES } from './process-table.ts';

type Role = 'app' | 'command';

interface Claim extends RunningProcess {
  readonly role: Role;
}

const CLAIMANT = 'claimant';
const NO_COLON = '+';

export class HistoryClaims {
  readonly #folder: string;
  readonly #role: Role;

  constructor(folder: string, role: Role) {
    this.#folder = join(folder, 'in-use');
    this.#role = role;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /**
   * The history from `open`, until that is closed. Null when a running app keeps it; the app notices what is committed here.
   * @throws AppError `locked` while a command keeps it: that ends soon, and its step can be undone then
   */
  journal<T extends CommitJournal | null>(database: DatabaseId, open: () => T): T | null {
    const path = join(this.#folder, database.replace(':', NO_COLON));
    const holder = this.#take(path);
    if (holder?.role === 'app') return null;
    if (holder) throw inUse(holder);
    const release = (): void => rmSync(path, { force: true });
    try {
      return endingWith(open(), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Returns the process that already has it. */
  #take(path: string): Claim | null {
    const own: Claim = { role: this.#role, ...runningProcess(process.pid, PROCESSES) };
    for (;;) {
      try {
        writeFileSync(path, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
        return null;
      } catch (error) {
        // A folder that is not writable cannot hold a history either.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return null;
      }
      const holder = readClaim(path);
      if (holder && isRunning(holder, PROCESSES) && holder.pid !== process.pid) return holder;
      rmSync(path, { force: true }); // left by a process that was killed
    }
  }
}

/** The error as text, if an existing claim is the reason; null for any other error. */
export function claimantOf(thrown: unknown): string | null {
  const claimant = thrown instanceof AppError ? thrown.detail?.[CLAIMANT] : undefined;
  return typeof claimant === 'string' ? claimant : null;
}

function inUse({ pid }: Claim): AppError {
  const claimant = `a command of Sidelite (process ${pid})`;
  return AppError.locked(`The file is in use by ${claimant}. Try again when that is done.`, {
    detail: { [CLAIMANT]: claimant },
  });
}

function readClaim(path: string): Claim | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Claim;
  } catch {
    return null;
  }
}

function endingWith<T extends CommitJournal | null>(journal: T, ended: () => void): T {
  if (journal === null) {
    ended();
    return journal;
  }
  const close = journal.close.bind(journal);
  journal.close = () => {
    try {
      close();
    } finally {
      ended();
    }
  };
  return journal;
}
