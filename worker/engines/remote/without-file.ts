// Methods that a connection to a server lacks or does not need, because file, memory, and log of the database are the server's.
import { AppError } from '#shared/protocol/errors.ts';
import { closedError } from '../closed-error.ts';
import type { Connection } from '../engine.ts';
import type { CommittedPiece } from '../file-pieces.ts';
import { SmallReads } from '../small-reads.ts';
import type { RowLog } from '../row-log/row-log.ts';

export abstract class WithoutFile extends SmallReads implements Partial<Connection> {
  readonly memoryBytes = null;
  readonly openLog: RowLog | null = null;
  /** A server may send rows without end, whatever it was asked. */
  protected override readonly mostBytes = 64 << 20;
  abstract readonly isOpen: boolean;

  /** The server's administrator decides this. */
  setDurability(): void {
    this.assertOpen();
  }

  useCache(): void {
    this.assertOpen();
  }

  passCache(): void {
    this.assertOpen();
  }

  /** The server does this. */
  checkpoint(): void {
    this.assertOpen();
  }

  record(options: unknown): void {
    if (options !== null)
      throw AppError.unavailable('A server does not tell which rows a statement changed, so they cannot be recorded.');
  }

  replay(): never {
    throw AppError.unavailable('A database on a server has no history of its changes.');
  }

  // oxlint-disable-next-line require-yield -- there is nothing to give
  *copyCommitted(): Generator<CommittedPiece, void> {
    throw noFile();
  }

  restoreFrom(): void {
    throw noFile();
  }

  readFile(): Uint8Array {
    throw noFile();
  }

  protected assertOpen(): void {
    if (!this.isOpen) throw closedError();
  }
}

const noFile = (): AppError =>
  AppError.unavailable(
    'The file of this database is on a server and cannot be read from here. Copy its tables instead.',
  );
