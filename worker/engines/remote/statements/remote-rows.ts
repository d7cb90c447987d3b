// The rows of one run of a statement: all of one reply, or as they arrive.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { malformed } from '../hrana/malformed.ts';
import type { CursorReply } from '../hrana/hrana-client.ts';
import { decodeExactly } from '../hrana/values.ts';
import { describeServerError } from '../runtime/server-error.ts';
import { carefulValue } from './remote-text.ts';

export interface RemoteRows {
  /** The next row, or null at the end. @throws AppError */
  next(): readonly Value[] | null;
  /** Discards the remaining rows. */
  end(): void;
}

/** A REAL that JSON cannot carry: the rows must be read in another form. */
export class Infinite extends Error {}

export function rowsInMemory(rows: readonly (readonly Value[])[]): RemoteRows {
  let at = 0;
  return { next: () => rows[at++] ?? null, end: () => void (at = rows.length) };
}

/** @throws Infinite before any row is given out */
export function rowsOfReply(cells: readonly (readonly unknown[])[], columnCount: number): RemoteRows {
  if (cells.some((row) => row.some(isInfinite))) throw new Infinite();
  let at = 0;
  return {
    next: () => {
      const row = cells[at++];
      return row === undefined ? null : decodeRow(row, columnCount);
    },
    end: () => void (at = cells.length),
  };
}

/** Decodes rows in the form that `carefulText` selects. */
export function carefulRows(rows: RemoteRows): RemoteRows {
  return {
    next: () => {
      const row = rows.next();
      if (row === null) return null;
      return Array.from({ length: row.length / 2 }, (_, at) => carefulValue(row[2 * at]!, row[2 * at + 1]!));
    },
    end: () => rows.end(),
  };
}

/** @param readAgain the rows from the given one on in another form, for a value that JSON cannot carry */
export function rowsOfCursor(
  reply: CursorReply,
  columnCount: number,
  readAgain: (from: number) => RemoteRows,
): RemoteRows {
  let given = 0;
  let instead: RemoteRows | null = null;
  let isDone = false;
  const take = (): readonly Value[] | null => {
    for (let entry = reply.next(); entry !== null; entry = reply.next()) {
      switch (entry.type) {
        case 'row':
          if (entry.row.some(isInfinite)) {
            reply.cancel();
            instead = readAgain(given);
            return instead.next();
          }
          given++;
          return decodeRow(entry.row, columnCount);
        case 'step_begin':
          if (entry.cols.length !== columnCount) throw columnsChanged();
          break;
        case 'step_error':
        case 'error':
          throw describeServerError(entry.error);
        case 'step_end':
          isDone = true;
          break;
        default:
      }
    }
    if (!isDone) throw malformed('it was cut off');
    return null;
  };
  return {
    next: () => instead?.next() ?? (instead === null ? take() : null),
    end: () => (instead === null ? reply.cancel() : instead.end()),
  };
}

const isInfinite = (cell: unknown): boolean =>
  typeof cell === 'object' &&
  cell !== null &&
  (cell as { type?: unknown }).type === 'float' &&
  (cell as { value?: unknown }).value === null;

function decodeRow(cells: readonly unknown[], columnCount: number): readonly Value[] {
  if (cells.length !== columnCount) throw malformed('a row has another number of cells');
  return cells.map(decodeExactly);
}

/** Someone else changed the table between preparing and running. */
export function columnsChanged(): AppError {
  return AppError.conflict(
    'Someone else changed the columns of this table. Nothing was read. Run the statement again.',
  );
}
