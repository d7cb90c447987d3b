// Records into a table on a server: a hundred rows are one statement, and as many statements as make about half a megabyte are one round
// trip. A statement that fails ends what was sent with it; its records go again one by one, which tells the record that is at fault.
import type { RecordBatch } from '../../../records/record-batch.ts';
import type { Value } from '#shared/protocol/values.ts';
import { assertInTransaction, refusalOfRecord } from '../../record-insert.ts';
import type { RecordInsert, RecordRun, RecordSql } from '../../record-insert.ts';
import { BOUND, NO_RECORDS, RecordValues, type RecordBinding } from '../../record-values.ts';
import type { RemoteSql, StatementResult, ServerError } from '../hrana/messages.ts';
import { encodeValue } from '../hrana/values.ts';
import { describeServerError } from '../runtime/server-error.ts';
import type { RemoteStatement } from './remote-statement.ts';

const ROWS = 100;
/** SQLITE_MAX_VARIABLE_NUMBER is 32,766. */
const MAX_PARAMETERS = 32_000;
/** Characters of one request, about: a larger one would be slow to stop, a smaller one wastes round trips. */
const MAX_SENT = 1 << 19;
const MAX_SENT_RECORDS = 4000;

/** Outcome of each statement, in order: its result, its error, or neither because one before it failed. */
export interface Sent {
  readonly results: readonly (StatementResult | null)[];
  readonly errors: readonly (ServerError | null | undefined)[];
}

interface Target {
  readonly autocommit: boolean;
  prepare(sql: string): RemoteStatement;
  /** Runs statements in order in the open transaction, in one round trip. @throws AppError when the transaction is over */
  sendRecords(statement: RemoteStatement, statements: readonly RemoteSql[], goOn: boolean): Sent;
}

interface Block {
  readonly first: number;
  readonly end: number;
  readonly sql: RemoteSql;
}

export class RemoteRecordInsert implements RecordInsert {
  readonly #target: Target;
  readonly #statement: RemoteStatement;
  readonly #values: RecordValues;
  /** The texts between the parameters of a row. */
  readonly #between: readonly string[];
  readonly #head: string;
  readonly #tail: string;
  readonly #rows: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #batch: RecordBatch = NO_RECORDS;
  #changes = 0;
  /** Records before this one go one by one. */
  #singlyUntil = 0;

  /** @throws as `prepare` */
  constructor(target: Target, { into, row, onConflict }: RecordSql, binding: RecordBinding) {
    this.#target = target;
    this.#values = new RecordValues(binding);
    this.#head = `${into} VALUES `;
    this.#tail = ` ${onConflict}`;
    this.#statement = target.prepare(`${this.#head}${row}${this.#tail}`);
    const between: string[] = [];
    let at = 0;
    for (const { from, to } of this.#statement.shape.parameters) {
      between.push(row.slice(at, from - this.#head.length));
      at = to - this.#head.length;
    }
    this.#between = [...between, row.slice(at)];
    this.#rows = Math.max(1, Math.min(ROWS, Math.floor(MAX_PARAMETERS / Math.max(binding.parameters.length, 1))));
  }

  get changes(): number {
    return this.#changes;
  }

  load(batch: RecordBatch): void {
    this.#batch = batch;
    this.#singlyUntil = 0;
  }

  run(first: number, { until, deadlineMs, refused }: RecordRun): number {
    assertInTransaction(this.#target.autocommit);
    const end = until ?? this.#batch.records;
    let record = first;
    while (record < end) {
      record = this.#send(record, end, refused);
      if (performance.now() >= deadlineMs) break;
    }
    return record;
  }

  close(): void {
    this.#statement.finalize();
    this.#batch = NO_RECORDS;
  }

  /** One round trip. Returns the record to continue with. */
  #send(first: number, end: number, refused: RecordRun['refused']): number {
    const isSingly = first < this.#singlyUntil;
    const blocks = this.#blocks(first, isSingly ? Math.min(end, this.#singlyUntil) : end, isSingly ? 1 : this.#rows);
    const { results, errors } = this.#target.sendRecords(
      this.#statement,
      blocks.map(({ sql }) => sql),
      isSingly,
    );
    for (const [at, block] of blocks.entries()) {
      this.#changes += results[at]?.affected_row_count ?? 0;
      const error = errors[at];
      if (!error) continue;
      const told = refusalOfRecord(describeServerError(error), !this.#target.autocommit);
      if (isSingly || block.end === block.first + 1) refused(block.first, told);
      if (isSingly) continue;
      if (block.end > block.first + 1) this.#singlyUntil = block.end;
      return block.end > block.first + 1 ? block.first : block.end;
    }
    return blocks.at(-1)!.end;
  }

  #blocks(first: number, end: number, rows: number): readonly Block[] {
    const blocks: Block[] = [];
    let sent = 0;
    for (let record = first; record < end && sent < MAX_SENT && record - first < MAX_SENT_RECORDS;) {
      const block = this.#block(record, Math.min(record + rows, end));
      blocks.push(block);
      sent += block.sql.sql.length;
      for (const arg of block.sql.args) sent += arg.length;
      record = block.end;
    }
    return blocks;
  }

  /** Takes at least one record, and no more than fit into a request. */
  #block(first: number, most: number): Block {
    const args: string[] = [];
    let text = this.#head;
    let size = 0;
    let record = first;
    for (; record < most && size < MAX_SENT; record++) {
      text += record === first ? '' : ', ';
      const { recordEnds } = this.#batch;
      const from = record === 0 ? 0 : recordEnds[record - 1]!;
      for (const [at, parameter] of this.#values.binding.parameters.entries()) {
        const bound = this.#values.read(this.#batch, from, recordEnds[record]!, parameter);
        const { value, expression } = encodeValue(this.#value(bound));
        args.push(value);
        size += value.length;
        text += this.#between[at]! + expression.replace('?', `?${args.length}`);
      }
      text += this.#between.at(-1)!;
    }
    return { first, end: record, sql: { sql: text + this.#tail, args, wantRows: false } };
  }

  #value(bound: number): Value {
    const { number, from, to, words, big } = this.#values;
    switch (bound) {
      case BOUND.text:
        return this.#text(this.#batch.bytes.subarray(from, to));
      case BOUND.integer:
        return number;
      case BOUND.real:
        return { real: number };
      case BOUND.blob:
        return this.#batch.bytes.subarray(from, to);
      case BOUND.words:
        return words;
      case BOUND.bigInteger:
        return big;
      default:
        return null;
    }
  }

  #text(bytes: Uint8Array): Value {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return { textBytes: bytes.slice() };
    }
  }
}
