// One publication: what it has to send, and what of it the server has. Rows are sent in transactions of about a second, because a server
// may end one that takes longer; what each has saved is known, so a publication that was stopped can continue or be removed.
import { AppError, fail, inParts, toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { NotPublished, PublishedTable, PublishReply } from '#shared/protocol/publish.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import { insertFields } from '../../engines/insert-fields.ts';
import type { RecordInsert } from '../../engines/record-insert.ts';
import { isUnknownOutcome } from '../../engines/remote/session/outcomes.ts';
import { realText } from '../../export/byte-writer.ts';
import { assertNoTransaction } from '../../history/undo-redo.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import { findSent, isCreate, type SentTable } from './begun.ts';
import { readBack, SourceRows } from './read-back.ts';
import { ASSERT_EMPTY, countOnServer, objectsOnServer, plain, rollBack, runAll } from './on-server.ts';
import type { Ran, ServerObject } from './on-server.ts';
import { RowDigest } from './row-digest.ts';
import { type Definition, type PublishPlan, notReached } from './source-plan.ts';
import { notEmpty } from './try-plan.ts';

const REPORT_EVERY_MS = 100;

export class Publication {
  readonly plan: PublishPlan;
  readonly tables: readonly SentTable[];
  readonly #source: Connection;
  /** Whether the server has the tables. */
  made: PublishReply['hasTables'] = 'no';
  /** Definitions still to be made after the rows. */
  #left: readonly Definition[];
  /** Definitions that were being made after the rows when the reply was lost. */
  #unsureGroup: readonly Definition[] = [];
  #rejected: NotPublished[] = [];
  /** Whether an earlier process has begun it, and its rows on the server have not been read yet. */
  #isToFind: boolean;
  #reportedMs = -Infinity;

  /** @param begun what the server already has of it, from an earlier process */
  constructor(source: Connection, plan: PublishPlan, begun: readonly ServerObject[] = []) {
    this.#source = source;
    this.plan = plan;
    this.#isToFind = begun.length > 0;
    if (this.#isToFind) this.made = 'yes';
    const names = new Set(begun.map(({ name }) => name));
    this.#left = plan.after.filter((one) => !isCreate(one) || !names.has(one.name));
    this.tables = plan.tables.map((table) => ({
      ...{ plan: table, saved: 0, unsure: 0, digest: new RowDigest(), unsureDigest: null },
      ...{ isComplete: false, onServer: null },
    }));
  }

  /** @throws AppError as long as there is nothing on the server; afterwards what went wrong is part of the reply */
  *run(turn: Turn, report: (progress: Progress) => void): Generator<Pause, Omit<PublishReply, 'timeMs'>> {
    assertNoTransaction(turn.connection);
    try {
      yield* this.#findRows(turn, report);
      if (this.isUnsure) this.look(turn.connection);
      if (this.made === 'no') this.#makeTables(turn.connection);
      yield 'between';
      for (const table of this.tables) yield* this.#send(turn, table, report);
      yield* this.#finish(turn, report);
      for (const table of this.tables) yield* this.#compare(turn, table, report);
      return this.#reply('done', '');
    } catch (thrown) {
      if (this.made === 'no' || this.#isToFind) throw thrown;
      const error = toAppError(thrown);
      return this.#reply(error.code === 'stopped' ? 'stopped' : 'failed', whatHappened(error));
    }
  }

  /**
   * Looks at how far an earlier process has come, by comparing the rows.
   * @throws AppError `conflict` if they are not the first ones of the source
   */
  *find(turn: Turn, report: (progress: Progress) => void): Generator<Pause, Omit<PublishReply, 'timeMs'>> {
    assertNoTransaction(turn.connection);
    yield* this.#findRows(turn, report);
    return this.#reply('stopped', '');
  }

  *#findRows(turn: Turn, report: (progress: Progress) => void): Generator<Pause, void> {
    if (!this.#isToFind) return;
    try {
      yield* findSent(turn, this.#source, this.tables, (table, rows) => {
        assertGoesOn(turn);
        this.#tell(turn, report, 'Comparing', (each) => (each === table ? rows : each.saved));
      });
      this.#isToFind = false;
    } finally {
      if (this.#isToFind) this.#clearRows();
    }
  }

  /** Whether it is known which rows the server has, or was known before a reply was lost. */
  get isFound(): boolean {
    return !this.#isToFind;
  }

  /** Whether it is unknown what the server has. */
  get isUnsure(): boolean {
    return this.made === 'unsure' || this.#unsureGroup.length > 0 || this.tables.some(({ unsure }) => unsure > 0);
  }

  /** Reads what the server has of the unsure parts. @throws AppError; they are still unsure then */
  look(connection: Connection): void {
    if (this.made === 'unsure' || this.#unsureGroup.length > 0) {
      const there = new Set(objectsOnServer(connection).map(({ name }) => name));
      const areThere = (some: readonly Definition[]): boolean =>
        some.every(({ kind, name }) => kind === 'setting' || there.has(name));
      if (this.made === 'unsure') this.made = areThere(this.plan.before) ? 'yes' : 'no';
      // Settings and rebuilds can be made twice.
      const isTold = this.#unsureGroup.some(({ kind }) => kind !== 'setting' && kind !== 'virtual');
      const isMade = isTold && areThere(this.#unsureGroup);
      if (isMade) this.#left = this.#left.slice(this.#unsureGroup.length);
      this.#unsureGroup = [];
    }
    for (const table of this.tables) {
      if (table.unsure === 0) continue;
      const rows = countOnServer(connection, table.plan.name);
      if (rows === table.saved + table.unsure) keep(table);
      else if (rows === table.saved) drop(table);
      else throw changedByOthers(table.plan.name);
    }
  }

  /** Call when nothing of it is on the server anymore. */
  forget(): void {
    this.made = 'no';
    this.#left = this.plan.after;
    this.#rejected = [];
    this.#clearRows();
  }

  #clearRows(): void {
    for (const table of this.tables) {
      drop(table);
      table.saved = 0;
      table.digest = new RowDigest();
      table.isComplete = false;
      table.onServer = null;
    }
  }

  /** Updates a reply after {@link look} has found out more. */
  refreshed(reply: Omit<PublishReply, 'timeMs'>): Omit<PublishReply, 'timeMs'> {
    return { ...this.#reply(reply.outcome, reply.why) };
  }

  #makeTables(connection: Connection): void {
    this.made = 'unsure';
    let isKnown = true;
    try {
      const ran = runAll(connection, [ASSERT_EMPTY, ...this.plan.before.map(({ sql }) => plain(sql))]);
      if (ran === null) return void (this.made = 'yes');
      this.made = 'no';
      if (ran[0]?.code === 'sql') throw notEmpty(objectsOnServer(connection).map(({ name }) => name));
      const at = ran.findIndex((error) => error !== null);
      throw ran[at] ?? ran[0];
    } catch (error) {
      isKnown = !isUnknownOutcome(error);
      throw error;
    } finally {
      if (this.made === 'unsure' && isKnown) this.made = 'no';
    }
  }

  *#send(turn: Turn, table: SentTable, report: (progress: Progress) => void): Generator<Pause, void> {
    if (table.isComplete) return;
    const { connection } = turn;
    if (table.saved > 0 && countOnServer(connection, table.plan.name) !== table.saved)
      throw changedByOthers(table.plan.name);
    const sender = new RowSender(this.#source, table);
    try {
      for (let more = true; more;) {
        assertGoesOn(turn);
        try {
          more = yield* sender.sendSome(turn, () => {
            assertGoesOn(turn);
            this.#tell(turn, report, 'Sending', sentOf);
          });
          keep(table);
        } catch (error) {
          if (!isUnknownOutcome(error)) drop(table);
          throw error;
        } finally {
          rollBack(connection);
        }
        yield 'between';
      }
      table.isComplete = true;
    } finally {
      sender.close();
    }
  }

  /** Everything that is made after the rows: an index in a transaction of its own, because it can take long. */
  *#finish(turn: Turn, report: (progress: Progress) => void): Generator<Pause, void> {
    const { after } = this.plan;
    while (this.#left.length > 0) {
      assertGoesOn(turn);
      const done = after.length - this.#left.length;
      report({ phase: 'Creating indexes, views, and triggers', done, total: after.length, unit: 'steps' });
      const group = groupOf(this.#left);
      const ran = this.#runGroup(turn.connection, group);
      const failed = ran?.findIndex((error) => error !== null) ?? -1;
      const { kind, name } = group[failed] ?? {};
      // Nothing of the group was kept: those before it go alone.
      if (failed > 0) this.#runGroup(turn.connection, group.slice(0, failed));
      if (kind !== undefined && name !== undefined)
        this.#rejected.push({ kind, name, reason: `The server reports: ${whatHappened(ran![failed]!)}` });
      this.#left = this.#left.slice(failed < 0 ? group.length : failed + 1);
      yield 'between';
    }
  }

  #runGroup(connection: Connection, group: readonly Definition[]): readonly Ran[] | null {
    try {
      return runAll(
        connection,
        group.map(({ sql }) => plain(sql)),
      );
    } catch (error) {
      if (isUnknownOutcome(error)) this.#unsureGroup = group;
      throw error;
    }
  }

  *#compare(turn: Turn, table: SentTable, report: (progress: Progress) => void): Generator<Pause, void> {
    if (table.onServer !== null) return;
    const read = new RowDigest();
    yield* readBack(turn, table.plan, read, () => {
      assertGoesOn(turn);
      this.#tell(turn, report, 'Comparing', (each) => each.onServer?.rows ?? (each === table ? read.rows : 0));
    });
    table.onServer = { rows: read.rows, digest: read.text };
  }

  #tell(turn: Turn, report: (progress: Progress) => void, phase: string, doneOf: (table: SentTable) => number): void {
    const progress = (): Progress => ({
      ...{ phase, unit: 'rows', total: this.tables.reduce((sum, { plan }) => sum + plan.rows, 0) },
      done: this.tables.reduce((sum, table) => sum + doneOf(table), 0),
    });
    turn.measureBy(progress);
    const now = performance.now();
    if (now - this.#reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs = now;
    report(progress());
  }

  #reply(outcome: PublishReply['outcome'], why: string): Omit<PublishReply, 'timeMs'> {
    return {
      ...{ outcome, why },
      hasTables: this.made,
      tables: this.tables.map(publishedOf),
      created: this.plan.after.length - this.#left.length - this.#rejected.length,
      notPublished: [...this.#rejected, ...notReached(this.#left)],
    };
  }
}

const sentOf = ({ saved, unsure }: SentTable): number => saved + unsure;

function publishedOf({ plan, saved, unsure, digest, isComplete, onServer }: SentTable): PublishedTable {
  const { name, rows } = plan;
  return { name, rows, saved, unsure, digest: isComplete ? digest.text : null, onServer };
}

function keep(table: SentTable): void {
  table.saved += table.unsure;
  table.digest = table.unsureDigest ?? table.digest;
  drop(table);
}

function drop(table: SentTable): void {
  table.unsure = 0;
  table.unsureDigest = null;
}

/** An index alone, otherwise what can go together. */
function groupOf(left: readonly Definition[]): readonly Definition[] {
  const to = left.findIndex(({ kind }) => kind === 'index' || kind === 'virtual');
  if (to === 0) return left.slice(0, 1);
  return to < 0 ? left : left.slice(0, to);
}

function assertGoesOn(turn: Turn): void {
  if (turn.stopRequested) fail('stopped', 'Publishing was stopped.');
}

const changedByOthers = (name: string): AppError =>
  AppError.conflict(
    inParts(
      `Someone else has changed the rows of “${name}” on the server in the meantime.`,
      'Remove them there, and publish again.',
    ),
  );

/** Servers end a transaction after five seconds. */
const TRANSACTION_MS = 1000;
/** Bytes and rows of the source in one batch, of which one to three requests are made. */
const BATCH_BYTES = 1 << 19;
const BATCH_ROWS = 4000;

class RowSender {
  readonly #table: SentTable;
  readonly #rows: SourceRows;
  readonly #batch = new BatchWriter();
  #waiting: readonly Value[] | null;

  /** Begins after the rows that the server has. */
  constructor(source: Connection, table: SentTable) {
    this.#table = table;
    this.#rows = new SourceRows(source, table.plan);
    this.#rows.skip(table.saved);
    this.#waiting = this.#rows.next();
  }

  /**
   * One transaction. What it sends is unsure until that is settled. Returns whether there are more rows.
   * @throws AppError
   */
  *sendSome(turn: Turn, sent: () => void): Generator<Pause, boolean> {
    if (this.#waiting === null) return false;
    const { connection } = turn;
    const table = this.#table;
    const digest = table.digest.copy();
    const endMs = performance.now() + TRANSACTION_MS;
    connection.beginWithoutForeignKeys();
    table.unsureDigest = digest;
    do {
      const first = table.saved + table.unsure;
      const insert = this.#insertInto(connection);
      try {
        this.#fill(first, (row) => digest.add(row));
        const records = this.#batch.take();
        insert.load(records);
        for (let at = 0; at < records.records;) {
          const before = at;
          const refused = (record: number, error: AppError): never => {
            throw rejected(table.plan.name, records.lines[record]!, error);
          };
          at = insert.run(at, { deadlineMs: performance.now(), refused });
          table.unsure += at - before;
          sent();
          yield 'alone';
        }
      } finally {
        insert.close();
      }
    } while (this.#waiting !== null && performance.now() < endMs);
    connection.run('COMMIT');
    return this.#waiting !== null;
  }

  close(): void {
    this.#rows.close();
  }

  #insertInto(connection: Connection): RecordInsert {
    const { name, columns } = this.#table.plan;
    return insertFields(connection, name, columns);
  }

  #fill(rowsBefore: number, seen: (row: readonly Value[]) => void): void {
    this.#batch.clear();
    let bytes = 0;
    for (let rows = 0; this.#waiting !== null && rows < BATCH_ROWS && bytes < BATCH_BYTES && !this.#batch.isFull;) {
      const row = this.#waiting;
      this.#batch.begin(rowsBefore + ++rows);
      for (const value of row) bytes += addValue(this.#batch, value);
      this.#batch.end();
      seen(row);
      this.#waiting = this.#rows.next();
    }
  }
}

/** Returns the approximate size of the value in bytes. */
function addValue(batch: BatchWriter, value: Value): number {
  if (value === null) batch.bare(FIELD.null);
  else if (
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0))
  )
    batch.text(FIELD.number, String(value));
  else if (typeof value === 'number') batch.text(FIELD.number, realText(value));
  else if (isReal(value)) batch.text(FIELD.number, realText(value.real));
  else if (typeof value === 'string') {
    batch.text(FIELD.quoted, value);
    return value.length;
  } else if (isRawText(value)) {
    batch.field(FIELD.quoted, value.textBytes);
    return value.textBytes.length;
  } else {
    const bytes = value as Uint8Array;
    batch.field(FIELD.blob, bytes);
    return bytes.length;
  }
  return 8;
}

const rejected = (table: string, row: number, error: AppError): AppError =>
  new AppError({
    code: error.code,
    ...inParts(
      `The server rejects row ${row} of “${table}”: ${whatHappened(error)}`,
      'Change the row, and publish again.',
    ),
    ...(error.sqlite && { sqlite: error.sqlite }),
  });
