// Moves tables of a scratch database into another one: one transaction in slices, with everything as before when it is stopped or fails.
import { sameName } from '#shared/ddl/names.ts';
import { AppError, inParts, toAppError, whatHappened } from '#shared/protocol/errors.ts';
import { isRawText } from '#shared/protocol/values.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type {
  LeftOut,
  TransferPlan,
  TransferProblem,
  TransferReply,
  TransferTable,
} from '#shared/protocol/transfer.ts';
import type { Connection } from '../engines/engine.ts';
import { insertFields } from '../engines/insert-fields.ts';
import { Cells } from '../export/cells.ts';
import { defineTrigger } from '../export/define-trigger.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import { commitInPieces } from '../import/commit-in-pieces.ts';
import { brokenKeys } from '../import/foreign-keys.ts';
import { BatchWriter } from '../records/batch-writer.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { withoutUnknownCollations } from '../schema/declared-collations.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { leadingKeyword, splitStatements } from '#shared/split-statements.ts';
import { addRecords } from '../export/packed-records.ts';
import { LooseKeys } from './loose-keys.ts';
import { planSteps, type TransferStep } from './transfer-plan.ts';

const SLICE_MS = 20;
const PACK_ROWS = 2000;
const PACK_BYTES = 1 << 20;
const REPORT_EVERY_MS = 100;
const MAX_KEPT = 1000;

interface Move {
  readonly source: Connection;
  readonly plan: TransferPlan;
  /** Rows of the chosen tables, as far as they are known. */
  readonly totalRows: number;
  readonly report: (progress: Progress) => void;
}

type Definition = Extract<TransferStep, { do: 'define' }>;

export type Moved = Omit<TransferReply, 'timeMs'>;

/** @throws AppError, after which everything is as before */
export function* moveTables(turn: Turn, move: Move): Generator<Pause, Moved> {
  const { source, plan } = move;
  const { connection } = turn;
  assertNoTransaction(connection);
  if (plan.tables.length === 0) throw AppError.invalid('No tables are selected. Nothing was changed.');
  // SQLite itself changes the names, in all that refers to them, and only for as long as it takes.
  source.run('BEGIN');
  try {
    if (plan.withoutOthers) assertNotReferred(source, plan.tables);
    rename(source, plan.tables);
    const { steps, notes, leftOut } = planSteps(source, connection, plan);
    // Rows of existing tables stay sound, unless the user chooses otherwise. In new ones the keys are looked up when all rows are in: with each row that has its parent
    // still to come, SQLite would scan the child table for each row of the parent.
    const areKeysOff = plan.tables.every(({ how }) => how === 'new') || plan.looseKeys === true;
    if (areKeysOff) connection.beginWithoutForeignKeys();
    else connection.run('BEGIN IMMEDIATE');
    let isCommitted = false;
    try {
      if (!areKeysOff) connection.run('PRAGMA defer_foreign_keys = ON');
      const moved = new Mover(turn, move, [...leftOut]);
      for (const step of steps) yield* moved.do(step);
      const loose: string[] = [];
      const keys = areKeysOff ? new LooseKeys(connection, 'database') : null;
      for (const { into } of keys === null ? [] : plan.tables) {
        loose.push(...keys!.of(into));
        yield 'between';
      }
      yield* commitInPieces(turn, move.report, () => {
        commit(connection, plan.tables);
        isCommitted = true;
      });
      const { tables, problems, kept } = moved;
      return { tables, problems, kept, notes: [...notes, ...loose, ...moved.notes], leftOut: moved.leftOut };
    } finally {
      if (!isCommitted && !connection.autocommit) connection.run('ROLLBACK');
    }
  } catch (error) {
    throw explained(error);
  } finally {
    if (!source.autocommit) source.run('ROLLBACK');
  }
}

/** @throws AppError `invalid` if a foreign key would refer to the table itself under its new name, and not to another table any more */
function assertNotReferred(source: Connection, tables: readonly TransferTable[]): void {
  for (const { name, into, how } of tables) {
    if (how !== 'new' || sameName(name, into)) continue;
    const parents = source.all('SELECT DISTINCT "table" FROM temp.pragma_foreign_key_list(?)', [name]);
    if (!parents.some(([parent]) => sameName(String(parent), into))) continue;
    throw AppError.invalid(
      `The foreign keys of “${name}” refer to another table “${into}”. Choose another name. Nothing was changed.`,
    );
  }
}

function rename(source: Connection, tables: readonly TransferTable[]): void {
  const changed = tables.filter(({ name, into, how }) => how === 'new' && name !== into);
  try {
    // Two rounds, because two tables may swap their names.
    changed.forEach(({ name }, at) => renameOne(source, name, temporaryName(at)));
    changed.forEach(({ into }, at) => renameOne(source, temporaryName(at), into));
  } catch (error) {
    const problem = toAppError(error);
    if (problem.code !== 'sql') throw error;
    throw AppError.invalid(
      `SQLite cannot rename the tables (${whatHappened(problem)}). Choose other names, or keep theirs. Nothing was changed.`,
    );
  }
}

const temporaryName = (at: number): string => `sidelite_transfer_${at}`;
const renameOne = (source: Connection, from: string, to: string): void =>
  void source.run(`ALTER TABLE main.${quoteName(from)} RENAME TO ${quoteName(to)}`);

class Mover {
  readonly tables: { readonly name: string; readonly rows: number }[] = [];
  readonly kept: TransferProblem[] = [];
  readonly leftOut: LeftOut[];
  problems = 0;
  /** Sentences about tables that are not what the file says. */
  readonly #changed: string[] = [];
  /** Names of tables that SQLite cannot make here. */
  readonly #unmade = new Set<string>();
  readonly #turn: Turn;
  readonly #move: Move;
  readonly #readsBytes: boolean;
  #replaced = 0;
  #rows = 0;
  #reportedMs = performance.now();

  constructor(turn: Turn, move: Move, leftOut: LeftOut[]) {
    this.#turn = turn;
    this.leftOut = leftOut;
    this.#move = move;
    this.#readsBytes = isRawText(move.source.one("SELECT CAST(X'FF' AS TEXT)")![0]!);
    turn.measureBy(() => this.#progress());
  }

  get notes(): readonly string[] {
    const objects = [
      ...this.leftOut.map(({ kind, name, reason }) => `The ${kind} “${name}” was left out. ${reason}`),
      ...this.#changed,
    ];
    if (this.#replaced === 0) return objects;
    return [
      ...objects,
      `Text values with bytes that are not UTF-8: ${this.#replaced.toLocaleString('en-US')}. The engine for files in place reads these bytes as U+FFFD.`,
    ];
  }

  *do(step: TransferStep): Generator<Pause, void> {
    this.#assertGoesOn();
    const { connection } = this.#turn;
    if (step.do === 'rows') return yield* this.#rowsOf(step);
    if (step.do === 'run') return this.#unmade.has(step.of) ? undefined : void connection.run(step.sql, step.params);
    this.#define(step);
    yield 'between';
  }

  /** Rows depend on tables only: SQLite may be unable to use anything else here. */
  #define(step: Definition): void {
    const { connection } = this.#turn;
    const { kind, name } = step.object;
    try {
      assertDefines(connection, step);
      if (kind === 'trigger' && this.#move.plan.withoutOthers)
        defineTrigger(connection, { name, table: step.table, sql: step.sql });
      else connection.run(step.sql);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      const plainer = kind === 'table' ? withoutUnknownCollations(step.sql) : null;
      if (plainer !== null) {
        this.#define({ ...step, sql: plainer });
        this.#changed.push(`The table “${name}” compares its text by bytes now. ${message}`);
      } else if (code !== 'sql') throw aboutObject(step, thrown);
      else if (kind === 'table' || kind === 'virtual') this.#standIn(step, message);
      else this.leftOut.push({ kind, name, reason: message });
    }
  }

  /** A table that SQLite cannot make here keeps its rows, and nothing else from being moved. */
  #standIn({ object: { name }, columns }: Definition, reason: string): void {
    this.#unmade.add(name);
    this.leftOut.push({ kind: 'table', name, reason });
    if (columns.length === 0) return;
    this.#turn.connection.run(`CREATE TABLE main.${quoteName(name)} (${quoteNames(columns)})`);
    this.#changed.push(`The rows of “${name}” are in a plain table instead.`);
  }

  *#rowsOf({ table, columns, sql, lost }: Extract<TransferStep, { do: 'rows' }>): Generator<Pause, void> {
    const { connection } = this.#turn;
    const insert = insertFields(connection, table, columns);
    const statement = this.#move.source.prepare(sql);
    const batch = new BatchWriter();
    for (const { row, reason } of lost?.rows ?? []) this.#refuse(table, row, reason);
    this.problems += (lost?.count ?? 0) - (lost?.rows.length ?? 0);
    let read = 0;
    try {
      for (let more = true; more;) {
        const writer = new PackedRowsWriter(columns.length, { expectedRows: PACK_ROWS, previewBytes: Infinity });
        more = statement.pack(writer, { maxRows: PACK_ROWS, maxBytes: PACK_BYTES });
        const cells = new Cells(writer.finish());
        if (!this.#readsBytes) this.#replaced += cells.replacedTexts;
        batch.clear();
        addRecords(cells, read + 1, batch);
        read += cells.rowCount;
        const records = batch.take();
        insert.load(records);
        for (let at = 0; at < records.records;) {
          const before = at;
          at = insert.run(at, {
            deadlineMs: Math.min(this.#turn.deadlineMs, performance.now() + SLICE_MS),
            refused: (record, error) => this.#refuse(table, records.lines[record]!, whatHappened(error)),
          });
          this.#rows += at - before;
          this.#assertGoesOn();
          this.#tell();
          yield 'between';
        }
      }
      this.tables.push({ name: table, rows: insert.changes });
    } finally {
      statement.finalize();
      insert.close();
    }
  }

  #refuse(table: string, row: number, reason: string): void {
    this.problems++;
    if (this.kept.length < MAX_KEPT) this.kept.push({ table, row, reason });
  }

  #progress(): Progress {
    return { phase: 'Importing', done: this.#rows, total: Math.max(this.#rows, this.#move.totalRows), unit: 'rows' };
  }

  #tell(): void {
    const now = performance.now();
    if (now - this.#reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs = now;
    this.#move.report(this.#progress());
  }

  #assertGoesOn(): void {
    if (this.#turn.stopRequested) throw AppError.stopped('Stopped.');
  }
}

/** The definition comes from an untrusted file. */
function assertDefines(connection: Connection, { object, sql }: Definition): void {
  if (connection.assertDefines && object.kind !== 'view') return connection.assertDefines(sql, object);
  if (!sql.includes('\0') && splitStatements(sql).length === 1 && leadingKeyword(sql) === 'CREATE') return;
  throw AppError.invalid('its definition is not one statement.');
}

function aboutObject({ object }: Pick<Definition, 'object'>, thrown: unknown): unknown {
  const error = toAppError(thrown);
  if (error.code === 'stopped' || error.code === 'internal') return thrown;
  const kind = object.kind === 'virtual' ? 'virtual table' : object.kind;
  return new AppError({
    code: error.code,
    ...inParts(`The ${kind} “${object.name}” could not be created: ${whatHappened(error)}`, 'Nothing was changed.'),
    ...(error.sqlite && { sqlite: error.sqlite }),
  });
}

/** @throws AppError `constraint` with the rows whose keys lead nowhere */
function commit(connection: Connection, tables: readonly TransferTable[]): void {
  try {
    connection.run('COMMIT');
  } catch (error) {
    if (toAppError(error).detail?.['kind'] !== 'foreign-key' || connection.autocommit) throw error;
    for (const { into } of tables) {
      const broken = brokenKeys(connection, { table: into });
      if (broken) throw broken;
    }
    throw error;
  }
}

function explained(thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'stopped') return thrown;
  return AppError.stopped(inParts('The import was stopped.', 'Everything is as it was before.'));
}
