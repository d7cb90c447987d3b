// How a database is stored in its file, which its SQL may change.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';

interface Format {
  readonly journalMode: string;
  /** In bytes. */
  readonly pageSize: number;
}

export class FileFormat {
  readonly #connection: Pick<Connection, 'one'>;
  #known: Format;

  constructor(connection: Pick<Connection, 'one'>) {
    this.#connection = connection;
    this.#known = this.#read();
  }

  get known(): Format {
    return this.#known;
  }

  /** Call after a text has run. Returns whether the format is another one now. */
  hasChanged(sql: string | null): boolean {
    if (sql === null || !/journal_mode|page_size|vacuum/i.test(sql)) return false;
    const { journalMode, pageSize } = this.#known;
    try {
      this.#known = this.#read();
    } catch (error) {
      // Another program has locked the file: it is asked again after the next such text.
      if (!(error instanceof AppError)) throw error;
    }
    return this.#known.journalMode !== journalMode || this.#known.pageSize !== pageSize;
  }

  #read(): Format {
    return {
      journalMode: String(this.#connection.one('PRAGMA journal_mode')?.[0] ?? 'unknown'),
      pageSize: Number(this.#connection.one('PRAGMA page_size')?.[0] ?? 0),
    };
  }
}
