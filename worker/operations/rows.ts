// Operations that read rows: open, page and close readers; read single complete values.
import type { ArrangeOperations } from '#shared/protocol/arrange.ts';
import type { ReaderId, RowsOperations } from '#shared/protocol/rows.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading } from '../sessions/call-work.ts';
import { readCell } from '../readers/cell-range.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import { knownRowsOf } from '../readers/scan-cost.ts';
import { planReader } from '../readers/open-reader.ts';
import { readerInfo, readersOf } from '../live/reader-registry.ts';
import type { OperationSession } from '../sessions/session.ts';

export const MAX_PAGE_ROWS = 2000;
const DEFAULT_CELL_BYTES = 16 * 1024 * 1024;

export const rowsHandlers: Handlers<RowsOperations & ArrangeOperations, OperationSession> = {
  async 'rows.open'(params, context) {
    const { window } = context.session;
    const database = context.session.database(params.database);
    const title = `Rows of ${params.table}`;
    const make = await reading(context, params.database, { title, rowsOf: params.table }, ({ connection }) =>
      planReader(connection, params),
    );
    const readers = readersOf(window);
    const { id, reader } = readers.add(database, make);
    context.onCancel(() => readers.close(id));
    try {
      await reader.open?.();
    } catch (error) {
      readers.close(id);
      throw error;
    }
    return readerInfo(id, reader);
  },

  'rows.cost': ({ database, tables }, context) =>
    reading(context, database, 'Estimating rows', ({ connection }) => knownRowsOf(connection, tables)),

  'rows.read'({ reader, start, count }, { session }) {
    checkRange({ start, count });
    return readersOf(session.window).get(reader).read(start, Math.min(count, MAX_PAGE_ROWS));
  },

  'rows.arrange'({ reader: id, arrangement }, { session, id: call, onCancel }) {
    const reader = spooled(session, id, 'Only the rows of a result are sorted and filtered where they are kept.');
    return reader.arrange(arrangement, { call, onCancel });
  },

  async 'rows.containing'({ reader: id, condition }, { session, id: call, onCancel }) {
    const reader = spooled(session, id, 'Rows without a key can be filtered, but not searched.');
    return { positions: await reader.containing(condition, { call, onCancel }) };
  },

  'rows.close': ({ reader }, { session }) => readersOf(session.window).close(reader),

  async 'rows.find'({ reader, key }, { session }) {
    return { position: await readersOf(session.window).get(reader).find(key) };
  },

  'cell.read': ({ database, cell, maxBytes }, context) =>
    reading(context, database, `Reading ${cell.column}`, ({ connection }) =>
      readCell(connection, cell, maxBytes ?? DEFAULT_CELL_BYTES),
    ),

  'cell.readAt'({ reader, position, column }, { session }) {
    const found = readersOf(session.window).get(reader);
    if (!found.valueAt) fail('invalid', 'Values of a table are read by the key of their row.');
    return found.valueAt(position, column);
  },
};

/** @throws AppError `invalid` */
function spooled({ window }: OperationSession, id: ReaderId, otherwise: string): SpooledReader {
  const reader = readersOf(window).get(id);
  if (reader instanceof SpooledReader) return reader;
  fail('invalid', otherwise);
}

/** @throws AppError `invalid` */
export function checkRange({ start, count }: { readonly start: number; readonly count: number }): void {
  if (Number.isSafeInteger(start) && start >= 0 && Number.isSafeInteger(count) && count >= 0) return;
  fail('invalid', 'Rows are requested by a position and a count, both 0 or greater.');
}

/** @throws AppError `invalid` for the reader of a table */
export function resultOf({ window }: OperationSession, reader: ReaderId): SpooledReader {
  const found = readersOf(window).get(reader);
  if (found instanceof SpooledReader) return found;
  fail('invalid', 'Only the rows of a result are kept for this.');
}
