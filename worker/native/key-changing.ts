// The one change of a key for which a process of its own is started, and the end of the histories that go with the old key.
import { setImmediate as nextTask } from 'node:timers/promises';
import { basename, dirname } from 'node:path';
import type { ChangedKey, KeyOrder } from '#shared/native-link.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { changeKey } from '../engines/native/cipher/change-key.ts';
import { loadCipherSqlite } from '../engines/native/runtime/load.ts';
import { removeHistoryFiles } from './history-files.ts';
import { makeScratchFolder } from './scratch-folders.ts';

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
