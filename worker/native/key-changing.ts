// The one change of a key for which a process of its own is started, and the end of the histories that go with the old key.
import { setImmediate as nextTask } from 'node:timers/promises';
import { basename, dirname, join } from 'node:path';
import type { ChangedKey, KeyOrder } from '#shared/native-link.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { changeKey } from '../engines/native/cipher/change-key.ts';
import { loadCipherSqlite } from '../engines/native/runtime/load.ts';
import { removeHistoryFiles } from './history-files.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';
import { readFileSync } from 'node:fs';
import type { Engine } from '../engines/engine.ts';

const ENDED = 'The key was not changed, because the app was closed. Nothing was changed.';

export class KeyChanging {
  readonly #historyFolder: string;
  #running: Generator<void, string | null> | null = null;

  constructor(historyFolder: string) {
    this.#historyFolder = historyFolder;
  }

  /** No connection of this process may be open on the file. */
  async run({ histories, ...change }: KeyOrder): Promise<ChangedKey> {
    try {
      const running = changeKey(await loadCipherSqlite(), { ...change, folder: makeScratchFolder() });
      this.#running = running;
      for (;;) {
        const { done, value } = running.next();
        if (done === true) return { left: this.#after(value, histories) };
        await nextTask();
        if (this.#running === null) return { why: ENDED };
      }
    } catch (thrown) {
      return { why: toAppError(thrown).message };
    } finally {
      this.#running = null;
    }
  }

  /** Leaves the file as it is, unless it has been replaced. */
  end(): void {
    this.#running?.return(null);
    this.#running = null;
  }

  #after(backup: string | null, histories: KeyOrder['histories']): string | null {
    const left = backup === null ? [] : [leftBehind(backup)];
    try {
      for (const database of histories) removeHistoryFiles(this.#historyFolder, database);
    } catch (thrown) {
      const { message } = thrown as Error;
      left.push(
        `The history of the file with its old key could not be removed from ${this.#historyFolder}. ${message}`,
      );
    }
    return left.length === 0 ? null : left.join('\n');
  }
}

const leftBehind = (backup: string): string =>
  `The file with its old key could not be removed. It is “${basename(backup)}” in ${dirname(backup)}: remove it there.`;

// The bytes of a database with nothing in it, as an engine makes it.

/** An encrypted one is more than an empty file, which would be a database without a key. @throws AppError `full`, `io`, `invalid` */
export function newDatabase(engine: Pick<Engine, 'open'>): Uint8Array {
  const folder = makeScratchFolder();
  try {
    const path = join(folder, 'new.db');
    const connection = engine.open(path, { durability: 'full', create: true });
    try {
      // SQLite writes no page before it has to.
      connection.run('PRAGMA user_version = 0');
    } finally {
      connection.close();
    }
    return readFileSync(path);
  } finally {
    removeScratchFolder(folder);
  }
}
