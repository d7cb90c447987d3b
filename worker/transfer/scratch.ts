// A scratch database: a private file that is created for a transfer and removed with it.
import { AppError } from '#shared/protocol/errors.ts';
import type { FileWriter } from '../engines/wasm/storage/file-pool.ts';
import type { Connection, OpenOptions } from '../engines/engine.ts';
import type { LibraryContext } from '../library/context.ts';
import { beginFile, newFileName } from '../library/new-file.ts';

export interface Scratch {
  /** Writers of a WAL and a journal beside it are named after it, as in SQLite. */
  readonly file: string;
  createWriter(name: string): FileWriter;
  open(options: OpenOptions): Connection;
  /** Replaces the content of a database, where that can read the file. @param assertStill as in {@link Connection.restoreFrom} */
  copyInto?(target: Connection, assertStill: () => void): void;
  /** Removes a closed one. */
  remove(): void;
}

export interface ScratchStore {
  /** Its engine reads databases whose texts are UTF-16. */
  readonly readsUtf16?: true;
  /** Its engine encrypts what it writes, and opens no file that is not encrypted with its key. */
  readonly isEncrypted?: boolean;
  /** @throws AppError `full`, `io` */
  make(): Promise<Scratch>;
}

/** Scratch files in the library's pool: a finished one can become a library database. What a crash leaves is removed at the next start. */
export const poolScratch = (context: LibraryContext): ScratchStore => ({
  async make() {
    const { engine, pool, catalogue } = context;
    const file = newFileName();
    await beginFile(context, file);
    return {
      file,
      createWriter: (name) => pool.createWriter(name),
      open: (options) => engine.open(file, options),
      remove() {
        pool.remove(file);
        catalogue.forgetFile(file);
      },
    };
  },
});

/** One step of copying as much of a damaged database as possible. @throws AppError `stopped` */
export function attempt(body: () => void): void {
  try {
    body();
  } catch (error) {
    if (error instanceof AppError && error.code !== 'stopped') return;
    throw error;
  }
}
