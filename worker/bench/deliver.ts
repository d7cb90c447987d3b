// Rows on their way to the window, in the form a test asks for.
import type { DeliveredChunk } from '#shared/bench/protocol.ts';
import { valueSink } from '#shared/bench/sink.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDatabase } from './driver.ts';
import type { ReadStep } from './program.ts';
import type { Delivery } from './suite.ts';

/** Rows per message: large enough that messages cost nothing, small enough that the window gets something soon. */
const ROWS_IN_PIECE = 10_000;
const SMALL_ROWS = 64;

type Emit = (chunk: DeliveredChunk) => Promise<void>;

export async function deliverRows(database: BenchDatabase, { read, form }: Delivery, emit: Emit): Promise<void> {
  if (form === 'objects') return deliverObjects(database, read, emit);
  if (form === 'json') return deliverText(database, read, emit);
  if (database.pack) {
    for (const rows of database.pack(read, ROWS_IN_PIECE)) await emit({ form, rows });
    return;
  }
  const packer = packing(ROWS_IN_PIECE);
  await database.perform(read, { sink: packer.sink, laps: null });
  for (const rows of packer.finish()) await emit({ form, rows });
}

/** The few rows of one execution. */
export async function packSmall(database: BenchDatabase, read: ReadStep): Promise<DeliveredChunk | null> {
  if (database.pack) {
    for (const rows of database.pack(read, SMALL_ROWS)) return { form: 'packed', rows };
    return null;
  }
  const packer = packing(SMALL_ROWS);
  await database.perform(read, { sink: packer.sink, laps: null });
  const [rows] = packer.finish();
  return rows ? { form: 'packed', rows } : null;
}

async function deliverObjects(database: BenchDatabase, read: ReadStep, emit: Emit): Promise<void> {
  if (!database.objects) {
    throw AppError.unavailable('This engine cannot return rows as objects here.');
  }
  const rows = database.objects(read);
  for (let at = 0; at < rows.length; at += ROWS_IN_PIECE) {
    await emit({ form: 'objects', rows: rows.slice(at, at + ROWS_IN_PIECE) });
  }
}

async function deliverText(database: BenchDatabase, read: ReadStep, emit: Emit): Promise<void> {
  for (const params of read.params) {
    let text = '';
    const sink = valueSink((value) => (text ||= String(value)));
    await database.perform({ ...read, params: [params] }, { sink, laps: null });
    await emit({ form: 'json', text });
  }
}

/** Packs what drivers give value by value. Columns are counted by the first row. */
function packing(rowsInPiece: number): { readonly sink: RowSink; finish(): readonly PackedRows[] } {
  let writer: PackedRowsWriter | null = null;
  let first: unknown[] = [];
  const done: PackedRows[] = [];
  const piece = (columns: number): PackedRowsWriter =>
    new PackedRowsWriter(columns, { expectedRows: rowsInPiece, previewBytes: Infinity });
  const sink: RowSink = {
    value(value) {
      if (writer) write(writer, value);
      else first.push(value);
    },
    endRow() {
      if (!writer) {
        writer = piece(first.length);
        for (const value of first) write(writer, value);
        first = [];
      }
      if (writer.rowCount < rowsInPiece) return;
      done.push(writer.finish());
      writer = piece(writer.columnCount);
    },
    changed: () => undefined,
  };
  return {
    sink,
    finish() {
      if (writer && writer.rowCount > 0) done.push(writer.finish());
      return done;
    },
  };
}

function write(writer: PackedRowsWriter, value: unknown): void {
  if (typeof value === 'number') Number.isSafeInteger(value) ? writer.integer(value) : writer.real(value);
  else if (typeof value === 'string') writer.text(value);
  else if (typeof value === 'bigint') writer.bigInteger(value);
  else if (value === null || value === undefined) writer.null();
  else if (value instanceof Uint8Array) writer.blob(value);
  else if (typeof value === 'object' && 'real' in value) writer.real(Number(value.real));
  else writer.text(String(value));
}
