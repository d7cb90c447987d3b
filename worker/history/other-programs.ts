// Notices what other programs commit to a file in place. No other program writes to a database of the library.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';

export class OtherPrograms {
  readonly #connection: Connection;
  #version: number | null;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#version = this.#read();
  }

  /** True once after commits since the last call or the last {@link accept}. */
  haveCommitted(): boolean {
    const version = this.#read();
    if (version === null || version === this.#version) return false;
    const hadLooked = this.#version !== null;
    this.#version = version;
    return hadLooked;
  }

  /** Takes the current state of the file as known. */
  accept(): void {
    this.#version = this.#read();
  }

  /** Call inside a write transaction, when no other program can commit first. @throws AppError `conflict` */
  assertNoneCommitted(): void {
    if (this.#read() !== this.#version) throw overtakenByProgram();
  }

  /** Null while another program has the file locked; the caller asks again later. */
  #read(): number | null {
    try {
      return this.#connection.dataVersion;
    } catch {
      return null;
    }
  }
}

export function overtakenByProgram(): AppError {
  return AppError.conflict(
    'Another program has just changed this file. Nothing was changed here; check the current data.',
  );
}
