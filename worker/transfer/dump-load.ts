// Writes what a file of SQL says into a scratch database, step by step. Statements that cannot be run are noted with their line and skipped.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import type { Connection, ScriptStatement } from '../engines/engine.ts';
import { findTable, shadowNames } from '../engines/table-list.ts';
import { READING_LIMITS, sizeText } from '../import/reading-limits.ts';
import { bytesOf } from '../import/sql/byte-text.ts';
import { CUT_OFF, type DumpEnd, type DumpStep, type StatementPlace } from '../import/sql/dump-steps.ts';
import type { InsertedRecords, StatementPart } from '../import/sql/sql-items.ts';
import { sqliteTranslator } from '../import/sql/sqlite-dialect.ts';
import type { SqlAction } from '../import/sql/translator.ts';
import { leadingKeyword } from '#shared/split-statements.ts';
import { withoutUnknownCollations } from '../schema/declared-collations.ts';
import { quoteName } from '../sql/quote.ts';
import { createTable } from './checked-tables.ts';
import { CopiedRows } from './copied-rows.ts';
import { DumpReport, ofStatement, tookEverythingBack, WRITES_PAGES, writesPages } from './statement-faults.ts';
import type { ExistingTable } from './existing-tables.ts';
import { ParkedSchema } from './parked-schema.ts';
import { PlainRows } from './plain-rows.ts';
import { RowsInParts } from './rows-in-parts.ts';
import { StatementPieces } from './statement-pieces.ts';
import { UndefinedTables } from './undefined-tables.ts';

/** Small statements are run together: SQLite's text is set up once for all of them. */
const TOGETHER_CHARACTERS = 128 * 1024;
const TOGETHER_STATEMENTS = 2000;
/** Most text per transaction where the file has none of its own. */
const COMMIT_EVERY_CHARACTERS = 64 << 20;

const TOO_LONG = `It is longer than ${sizeText(READING_LIMITS.statementBytes)}, and cannot be run in parts: it is more than rows of literals, or a row that fails may change others.`;

/** Rows come as records from this dialect alone. */
const SQLITE = sqliteTranslator();
const DEFINITION = /^\s*CREATE\s+(?:TABLE|(?:UNIQUE\s+)?INDEX)\b/i;
const TRANSACTION = new Set(['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'SAVEPOINT', 'RELEASE']);

type Step<K extends DumpStep['kind']> = Extract<DumpStep, { readonly kind: K }>;

interface Waiting {
  readonly sql: string;
  readonly line: number;
  /** It is run by itself, which an engine can do in less time than as a part of a script. */
  readonly isDefinition: boolean;
}

export class DumpLoad {
  readonly report = new DumpReport();
  readonly #connection: Connection;
  readonly #dialect: SqlDialect;
  /** Virtual tables whose content came as rows of their own tables. */
  readonly restored: string[] = [];
  readonly undefinedTables: UndefinedTables;
  readonly #parked: ParkedSchema;
  #waiting: Waiting[] = [];
  #waitingCharacters = 0;
  #sinceCommit = 0;
  /** The open transaction does not come from the file. */
  #isOurs = false;
  /** Line where the transaction of the file begins. */
  #beganLine = 0;
  #copied: CopiedRows | null = null;
  readonly #plain: PlainRows;
  readonly #parts: RowsInParts;
  readonly #pieces: StatementPieces;
  /** Why the rest of the statement whose first rows are written cannot be. */
  #restProblem: string | null = null;
  #refusedCopies = 0;

  constructor(connection: Connection, dialect: SqlDialect, existing: readonly ExistingTable[]) {
    this.#connection = connection;
    this.#parked = new ParkedSchema(connection);
    this.undefinedTables = new UndefinedTables(connection, existing);
    this.#plain = new PlainRows(connection);
    this.#parts = new RowsInParts(connection, this.#plain);
    this.#pieces = new StatementPieces(connection);
    this.#dialect = dialect;
  }

  /** @throws AppError for anything that is not the fault of one statement */
  take(step: DumpStep): void {
    if (step.kind === 'records') return step.part === null ? this.#takeRecords(step) : this.#takePart(step, step.part);
    this.#plain.close();
    switch (step.kind) {
      case 'action':
        return this.#takeAction(step);
      case 'piece':
        return this.#takePiece(step);
      case 'rest':
        return this.#takeRest(step);
      case 'copied':
        return this.#takeCopied(step);
      case 'copy-end':
        return this.#endCopy(step);
    }
  }

  #takeAction(step: Step<'action'>): void {
    const { action, isOpen } = step;
    if (isOpen && this.#isCutOff(action)) return this.#refuse(step, CUT_OFF);
    if (action.do === 'run' && TRANSACTION.has(leadingKeyword(action.sql[0] ?? '')))
      return this.#transaction(step, action.sql[0]!);
    // A comment at the end of the file would swallow the semicolon after it.
    if (action.do === 'run' && isOpen) return this.#do({ do: 'run', sql: action.sql.map((sql) => `${sql}\n`) }, step);
    this.#do(action, step);
  }

  /** Notes the line at which reading stopped, because the statement that begins there has no end. */
  #noteTooLong(line: number): void {
    this.report.note(
      line,
      `It is longer than ${sizeText(READING_LIMITS.statementBytes)}: a quote is never closed, or a value is larger than a dump can have here. Nothing from here on was read.`,
      '',
    );
  }

  /** Run to its end after the last step. Other work may run where it pauses. */
  *finish({ statements, tooLong }: DumpEnd): Generator<void> {
    if (tooLong > 0) this.#noteTooLong(tooLong);
    this.#plain.close();
    // Reading has ended in the middle of it.
    if (this.#parts.open !== null) this.#parts.undo();
    this.flush();
    for (const sql of statements) {
      this.#add(sql, 0);
      this.flush();
      yield;
    }
    this.#flushAll();
    if (!this.#connection.autocommit && !this.#isOurs)
      this.report.add(
        `The file begins a transaction on line ${this.#beganLine} and never ends it, so it may be cut off. What is in it was read.`,
      );
    if (!this.#connection.autocommit) this.#connection.run('COMMIT');
    for (const note of this.undefinedTables.notes) this.report.add(note);
  }

  /** Runs the waiting statements. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#sinceCommit += this.#waitingCharacters;
    this.#waitingCharacters = 0;
    this.#begin();
    let from = 0;
    while (from < waiting.length) from = this.#run(waiting, from);
    this.#commitOften();
  }

  /** Runs the waiting statements, after which the schema table is whole. */
  #flushAll(): void {
    this.flush();
    this.#parked.restore();
  }

  #do(action: SqlAction, item: StatementPlace): void {
    switch (action.do) {
      case 'leave':
        return this.report.leave(action.group);
      case 'refuse':
        return this.#refuse(item, action.reason);
      case 'run':
        if (action.sql.some(writesPages)) return this.#refuse(item, WRITES_PAGES);
        for (const sql of action.sql) {
          if (leadingKeyword(sql) !== 'INSERT') this.#plain.see(sql);
          this.#add(sql, item.line);
        }
        return;
      case 'create-table':
        return this.#createTable(action, item);
      case 'virtual-table':
        if (writesPages(action.sql)) return this.#refuse(item, WRITES_PAGES);
        this.#flushAll();
        this.#plain.see(action.sql);
        return this.#virtualTable(action, item);
      case 'copy':
        this.#flushAll();
        this.#begin();
        return this.#copy(action, item);
    }
  }

  #createTable(action: Extract<SqlAction, { do: 'create-table' }>, item: StatementPlace): void {
    this.#flushAll();
    this.#begin();
    const { problem, left } = createTable(this.#connection, action);
    for (const { reason, text } of left) this.report.noteDecoded(item.line, reason, text);
    if (problem !== null) this.#refuse(item, problem);
    for (const sql of action.after) this.#add(sql, item.line);
  }

  #copy(action: Extract<SqlAction, { do: 'copy' }>, item: StatementPlace): void {
    const open = (): CopiedRows => new CopiedRows(this.#connection, action);
    try {
      this.#copied = open();
    } catch (error) {
      const problem = ofStatement(error);
      const names = action.columns.map(({ name }) => name);
      if (problem.detail?.['missing'] === 'table' && this.undefinedTables.make(action.table, names))
        this.#copied = open();
      else this.#refuse(item, whatHappened(problem));
    }
  }

  #add(sql: string, line: number): void {
    if (this.#parked.isInWayOf(sql)) this.#flushAll();
    this.#waiting.push({ sql, line, isDefinition: DEFINITION.test(sql) });
    this.#waitingCharacters += sql.length;
    const isParkingDue = this.#parked.note(sql);
    if (isParkingDue || this.#waitingCharacters >= TOGETHER_CHARACTERS || this.#waiting.length >= TOGETHER_STATEMENTS)
      this.flush();
    if (isParkingDue) this.#parked.park();
  }

  /** Runs the statements from `first` on, up to a definition, or one that fails. Returns where to continue. */
  #run(waiting: readonly Waiting[], first: number): number {
    if (waiting[first]!.isDefinition) return this.#define(waiting, first);
    const next = waiting.findIndex(({ isDefinition }, at) => at > first && isDefinition);
    const end = next < 0 ? waiting.length : next;
    const ends: number[] = [];
    let text = '';
    for (const { sql } of waiting.slice(first, end)) {
      text += `${sql};`;
      ends.push(text.length);
    }
    const script = this.#connection.script(text);
    let current: ScriptStatement | null = null;
    try {
      for (;;) {
        current = null;
        current = script.next();
        if (current === null) return end;
        while (current.step());
      }
    } catch (error) {
      const place = current?.from ?? script.position;
      const found = ends.findIndex((to) => to > place);
      return this.#failed(waiting, first + Math.max(0, found), error);
    } finally {
      script.dispose();
    }
  }

  #define(waiting: readonly Waiting[], at: number): number {
    try {
      this.#connection.run(waiting[at]!.sql);
      return at + 1;
    } catch (error) {
      return this.#failed(waiting, at, error);
    }
  }

  #failed(waiting: readonly Waiting[], at: number, error: unknown): number {
    const { sql, line } = waiting[at]!;
    const problem = ofStatement(error);
    if (this.#connection.autocommit) throw tookEverythingBack(line, problem);
    this.#parked.restoreAfterError();
    // SQLite keeps the columns that a failed ALTER TABLE would have left.
    if (leadingKeyword(sql) === 'ALTER') this.#connection.run('PRAGMA writable_schema = RESET');
    const { missing, name } = problem.detail ?? {};
    if (missing === 'table' && this.undefinedTables.makeFor(sql, name)) return at;
    const plainer = missing === 'collation sequence' ? withoutUnknownCollations(sql) : null;
    if (plainer !== null) {
      this.report.add(`The table of line ${line} compares its text by bytes now. ${whatHappened(problem)}`);
      return at + this.#define([{ ...waiting[at]!, sql: plainer }], 0);
    }
    this.report.noteDecoded(line, whatHappened(problem), sql);
    return at + 1;
  }

  #transaction(item: Step<'action'>, sql: string): void {
    this.#flushAll();
    const word = leadingKeyword(sql);
    const { autocommit } = this.#connection;
    if (word === 'BEGIN') {
      if (!autocommit && !this.#isOurs) return this.#refuse(item, 'A transaction is open already.');
      this.#commitOurs();
      this.#beganLine = item.line;
    } else if (word === 'COMMIT' || word === 'END') {
      // In other dialects, a transaction is always open where autocommit is off.
      if ((autocommit || this.#isOurs) && this.#dialect !== 'sqlite') return;
      if (autocommit || this.#isOurs) return this.#refuse(item, 'No transaction is open.');
    } else if (word === 'ROLLBACK' && /^\s*--\s*due to errors/.test(item.after)) {
      this.report.add(
        `The program that wrote this file found damage in the database (line ${item.line}). What it could read was read here too.`,
      );
      if (!autocommit) this.#connection.run('COMMIT');
      return;
    } else if (word === 'ROLLBACK' && (autocommit || this.#isOurs))
      return this.#refuse(item, 'No transaction is open.');
    else if (word === 'ROLLBACK')
      this.report.add(`Line ${item.line} undoes everything since line ${this.#beganLine} (ROLLBACK).`);
    try {
      this.#connection.run(sql);
    } catch (error) {
      this.#refuse(item, whatHappened(ofStatement(error)));
    }
  }

  #begin(): void {
    if (!this.#connection.autocommit) return;
    this.#connection.run('BEGIN');
    this.#isOurs = true;
  }

  #commitOften(): void {
    if (this.#isOurs && this.#sinceCommit > COMMIT_EVERY_CHARACTERS) this.#commitOurs();
  }

  #commitOurs(): void {
    this.#parked.restore();
    if (this.#isOurs && !this.#connection.autocommit) this.#connection.run('COMMIT');
    this.#isOurs = false;
    this.#sinceCommit = 0;
  }

  #virtualTable({ name, sql }: { readonly name: string; readonly sql: string }, item: StatementPlace): void {
    this.#begin();
    const problem = recreateVirtualTable(this.#connection, name, sql);
    if (problem === null) this.restored.push(name);
    else this.#refuse(item, problem);
  }

  #takeRecords(item: InsertedRecords): void {
    this.#beginRecords(item);
    this.#plain.add(item, this.#makeTable(item), (line, reason, text) => this.report.note(line, reason, text));
    this.#sinceCommit += item.source.length;
    this.#commitOften();
  }

  #beginRecords({ into }: InsertedRecords): void {
    this.flush();
    if (this.#parked.isInWayOf(into)) this.#parked.restore();
    this.#begin();
  }

  #makeTable({ into }: InsertedRecords): (missing: AppError) => boolean {
    return ({ detail }) => {
      this.#parked.restoreAfterError();
      return this.undefinedTables.makeFor(into, detail?.['name']);
    };
  }

  #takePart(item: InsertedRecords, part: StatementPart): void {
    this.#beginRecords(item);
    const parts = this.#parts;
    // What is undone takes SQLite's copy of the schema with it.
    if (part.isFirst) this.#parked.restore();
    parts.add(item, part, this.#makeTable(item));
    this.#sinceCommit += item.source.length;
    if (!part.isEnd) return;
    const { line, beginning, isAlone } = parts.open!;
    if (isAlone) return this.#runWhole(false);
    this.#endParts({ line, text: beginning }, parts.problem === null ? null : whatHappened(parts.problem));
  }

  /** The statement continues in a way that SQLite has to read. */
  #takeRest({ rows, clause, isApart, isEnd, isOpen }: Step<'rest'>): void {
    const parts = this.#parts;
    const { line, beginning, head, isAlone } = parts.open!;
    this.#sinceCommit += rows.length;
    // Where its last rows are not complete, all of it is not, either.
    if (isEnd && isOpen && this.#isCutOff(SQLITE.translate(`${head} VALUES ${rows}${clause}`))) {
      this.#restProblem = null;
      parts.drop();
      return this.#refuse({ line, text: beginning }, CUT_OFF);
    }
    parts.keepText(bytesOf(rows + (isEnd ? clause : ',')));
    const isRun = !isAlone && isApart && parts.problem === null;
    if (isRun) this.#restProblem ??= this.#problemOf(`${head} VALUES ${rows}`);
    if (!isEnd) return;
    const problem = parts.problem === null ? this.#restProblem : whatHappened(parts.problem);
    this.#restProblem = null;
    if (isRun && problem === null) this.#endParts({ line, text: beginning }, null);
    // A row that cannot be compiled takes the whole statement with it, before anything of it is run.
    else this.#runWhole(isOpen, problem);
  }

  /** Runs the statement as if none of it had come in parts. @param problem why its rows are refused, as far as it is known */
  #runWhole(isOpen: boolean, problem: string | null = null): void {
    const { line, beginning } = this.#parts.open!;
    const text = this.#parts.takeBack();
    this.#parts.forget();
    const place = { line, text: beginning };
    if (text === null) return this.#refuse(place, problem ?? TOO_LONG);
    this.#takeAction({ kind: 'action', action: SQLITE.translate(text), ...place, isOpen, after: '' });
  }

  #problemOf(text: string): string | null {
    const action = SQLITE.translate(text);
    if (action.do === 'refuse') return action.reason;
    const sql = action.do === 'run' ? action.sql : [];
    if (sql.some(writesPages)) return WRITES_PAGES;
    // A comment at the end of the file would swallow a semicolon.
    const script = this.#connection.script(sql.join(';\n'));
    try {
      for (let next = script.next(); next !== null; next = script.next()) while (next.step());
      return null;
    } catch (error) {
      return whatHappened(ofStatement(error));
    } finally {
      script.dispose();
    }
  }

  /** @param problem why none of its rows is kept */
  #endParts(place: StatementPlace, problem: string | null): void {
    const parts = this.#parts;
    if (problem === null) parts.keep();
    else {
      this.#refuse(place, problem);
      parts.undo();
      parts.forget();
    }
    this.#commitOften();
  }

  #takePiece(step: Step<'piece'>): void {
    const { sql } = step;
    if (step.isFirst) {
      this.flush();
      if (this.#parked.isInWayOf(sql)) this.#parked.restore();
      this.#begin();
    }
    const problem = this.#pieces.add(step, ({ detail }) => {
      this.#parked.restoreAfterError();
      return this.undefinedTables.makeFor(sql, detail?.['name']);
    });
    this.#sinceCommit += sql.length;
    if (!step.isEnd) return;
    if (problem !== null) {
      this.#parked.restoreAfterError();
      this.#refuse(step, whatHappened(problem));
    }
    this.#commitOften();
  }

  #takeCopied(step: Step<'copied'>): void {
    this.#copied?.add(step, (line, reason, text) => this.report.note(line, reason, text));
    this.#sinceCommit += step.length;
  }

  #endCopy({ line, isOpen }: Step<'copy-end'>): void {
    const copied = this.#copied;
    if (copied === null) {
      if (this.#refusedCopies++ === 0)
        this.report.add('Rows after COPY statements that were not understood were left out with them.');
      return;
    }
    copied.close();
    this.#copied = null;
    if (isOpen)
      this.report.note(line, 'The file ends in the middle of the rows of a COPY statement: it is cut off.', '');
    this.#commitOften();
  }

  /** The last statement needs no semicolon, where it is one. */
  #isCutOff(action: SqlAction): boolean {
    try {
      this.flush();
      if (action.do === 'run') for (const sql of action.sql) this.#connection.check(sql);
      return false;
    } catch {
      return true;
    }
  }

  #refuse(item: StatementPlace, reason: string): void {
    this.report.note(item.line, reason, item.text);
  }
}

/** Makes the table and empties the tables it keeps its content in, because their rows follow as they were. Returns why it cannot be made. */
function recreateVirtualTable(connection: Connection, name: string, sql: string): string | null {
  try {
    connection.run('SAVEPOINT sidelite_virtual');
    connection.run(sql);
    const made = findTable(connection, name);
    if (made?.kind !== 'virtual' || made.name !== name)
      throw AppError.invalid('Its SQL defines a table with a different name.');
    for (const shadow of shadowsOf(connection, name)) connection.run(`DELETE FROM main.${quoteName(shadow)}`);
    connection.run('RELEASE sidelite_virtual');
    return null;
  } catch (error) {
    const problem = ofStatement(error);
    connection.run('ROLLBACK TO sidelite_virtual');
    connection.run('RELEASE sidelite_virtual');
    return whatHappened(problem);
  }
}

function shadowsOf(connection: Connection, virtualTable: string): readonly string[] {
  return shadowNames(connection).filter((name) => name.startsWith(`${virtualTable}_`));
}
