// Reads a file of SQL to its end: splits it, and translates each statement for SQLite. Nothing of it needs a database.
import { toAppError } from '#shared/protocol/errors.ts';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { exactUtf8 } from './byte-text.ts';
import { CopyRows } from './copy-rows.ts';
import { detectDialect } from './detect-dialect.ts';
import { beginningEncoding, dumpEncoding } from './dump-encoding.ts';
import { CUT_OFF, shownOf } from './dump-steps.ts';
import type { DumpEnd, DumpFacts, DumpOptions, DumpReader, DumpStep, StatementPlace } from './dump-steps.ts';
import { hasAnsiQuotes, hasNoEscapes } from './mysql-modes.ts';
import { hasEscapes } from './postgres-modes.ts';
import { createTableSql } from './rewriting.ts';
import { type RowPieces, rowPieces, withoutBlanks } from './row-pieces.ts';
import type { InsertedRecords, SqlItem } from './sql-items.ts';
import { beginningOf, SqlText } from './sql-text.ts';
import type { LeftRow, SqlAction, SqlTranslator } from './translator.ts';
import { translatorOf } from './translators.ts';

const SAMPLE_BYTES = 64 * 1024;
/** How the last statement of a file ends that has no semicolon, but is one. */
const LOOKS_WHOLE = /[\w)'"\]`]\s*$/;
/** With one of these in the file, a row that fails may keep those before it, or undo more than them: SQLite runs each statement as a whole. */
const KEEPS_SOME = /\b(?:FAIL|ROLLBACK)\b/i;

const IS_ROWS = /^(?:INSERT|REPLACE)\s/i;

type Statement = Extract<SqlItem, { kind: 'statement' }>;

/** @param lookedThrough told how far the first of two passes is, where the dialect needs one @throws AppError `io`, `invalid` */
export async function readDump(
  bytes: ByteSource,
  { dialect: chosen, encoding: chosenEncoding, existing }: DumpOptions,
  lookedThrough: (bytesRead: number) => void | Promise<void>,
): Promise<DumpReader> {
  const head = await bytes.read(0, SAMPLE_BYTES);
  const sample = { fileName: bytes.fileName, bytes: head, isWhole: head.length >= bytes.sizeBytes };
  const beginning = beginningOf(head, chosenEncoding ?? beginningEncoding(sample));
  const detected = detectDialect(beginning);
  const dialect = chosen ?? detected.dialect;
  const { encoding, note, isDecodedLater } = dumpEncoding(sample, beginning, dialect, chosenEncoding);
  const translator = translatorOf(dialect, { beginning, encoding, isDecodedLater, existing });
  const options = {
    hasAnsiQuotes: dialect === 'mysql' && hasAnsiQuotes(beginning),
    hasEscapes: dialect === 'mysql' ? !hasNoEscapes(beginning) : dialect === 'postgresql' && hasEscapes(beginning),
  };
  const open = (): SqlText => new SqlText(bytes, isDecodedLater ? 'utf-8' : encoding, dialect, options);
  if (translator.see) await lookThrough(open(), translator, lookedThrough);
  const reason = chosen === null ? detected.reason : '';
  const facts = { dialect, encoding, reason, note };
  return new TranslatedDump(open(), translator, facts, isDecodedLater ? encoding : 'utf-8');
}

async function lookThrough(
  text: SqlText,
  translator: SqlTranslator,
  report: (bytesRead: number) => void | Promise<void>,
): Promise<void> {
  do {
    for (let item = text.next(); item !== null; item = text.next())
      if (item.kind !== 'rows' && item.kind !== 'records') see(translator, item.text);
    await report(text.bytesRead);
  } while (await text.more());
  translator.restart?.();
}

/** What is too long to be understood is reported when it is read. */
function see(translator: SqlTranslator, text: string): void {
  try {
    translator.see?.(text);
  } catch (error) {
    if (toAppError(error).code !== 'too-big') throw error;
  }
}

export class TranslatedDump implements DumpReader {
  readonly facts: DumpFacts;
  readonly #text: SqlText;
  readonly #translator: SqlTranslator;
  readonly #dialect: SqlDialect;
  #steps: Iterator<DumpStep> = [][Symbol.iterator]();
  #copied: CopyRows | null = null;
  #copiedInto = '';
  readonly #oddNotes: string[] = [];
  readonly #textEncoding: string;
  /** Line of the first statement, other than one of rows, with bytes that are no character; 0: none. */
  #oddLine = 0;
  #hasReplaced = false;
  #keepsSome = false;

  /** @param textEncoding of what `text` gives */
  constructor(text: SqlText, translator: SqlTranslator, facts: DumpFacts, textEncoding: string) {
    this.#textEncoding = textEncoding;
    this.#text = text;
    this.#translator = translator;
    this.#dialect = facts.dialect;
    this.facts = facts;
  }

  get bytesRead(): number {
    return this.#text.bytesRead;
  }

  finish(): DumpEnd {
    const statements = this.#translator.finish?.() ?? [];
    this.#lookForReplaced(statements);
    // Values keep their bytes, but names and comments are decoded.
    if (this.#oddLine > 0 && this.#hasReplaced)
      this.#oddNotes.push(
        `The statement in line ${this.#oddLine} is the first with a name, a default or a comment whose bytes are no character in ${this.#textEncoding}: they became “\u{FFFD}” (U+FFFD). Choose another encoding if it is not that of the file.`,
      );
    const notes = [...this.#text.notes, ...this.#oddNotes, ...this.#translator.notes];
    return { statements, notes, tooLong: this.#text.tooLong };
  }

  #lookForReplaced(statements: readonly string[]): void {
    if (this.#oddLine > 0 && !this.#hasReplaced) this.#hasReplaced = statements.some((sql) => sql.includes('\u{FFFD}'));
  }

  #noteOdd(): void {
    const { odd = 0, oddLine } = this.#copied ?? {};
    if (odd > 0)
      this.#oddNotes.push(
        `Texts of “${this.#copiedInto}” that are not UTF-8: ${odd.toLocaleString('en-US')}, the first in line ${oddLine}. Their bytes are kept as BLOBs; another encoding may read them.`,
      );
  }

  close(): void {
    // Nothing goes on by itself.
  }

  async next(): Promise<DumpStep | null> {
    for (;;) {
      const step = this.#steps.next();
      if (step.done !== true) return step.value;
      const item = this.#text.next();
      if (item !== null) this.#steps = this.#stepsOf(item);
      else if (!(await this.#text.more())) return null;
    }
  }

  *#stepsOf(item: SqlItem | InsertedRecords): Generator<DumpStep> {
    if (item.kind === 'records') yield item;
    else if (item.kind === 'rows') yield* this.#rows(item);
    else if (item.kind === 'command') yield* this.#command(item);
    else if (item.head !== undefined) yield* restOf(item, item.head);
    else yield* this.#statement(item);
  }

  *#statement(item: Statement): Generator<DumpStep> {
    const place = { line: item.line, text: shownOf(item.text) };
    const ends = { isOpen: item.isOpen, after: item.after };
    if (item.isQuoted || (item.isOpen && !LOOKS_WHOLE.test(item.text)))
      return yield { kind: 'action', action: { do: 'refuse', reason: CUT_OFF }, ...place, ...ends };
    if (this.#oddLine === 0 && !IS_ROWS.test(item.text) && exactUtf8(item.text, this.#textEncoding) === null)
      this.#oddLine = item.line;
    const action = this.#translated(item.text);
    if (action.do === 'copy') {
      this.#copied = new CopyRows(action, this.facts.encoding);
      this.#copiedInto = action.table;
    }
    this.#lookForReplaced(sqlOf(action));
    if (action.do === 'run') yield* leftRows(action.left ?? [], place.line);
    const pieces = action.do === 'run' ? action.sql.map((sql) => this.#piecesOf(sql)) : [];
    if (action.do !== 'run' || pieces.every((some) => some === null))
      return yield { kind: 'action', action, ...place, ...ends };
    for (const [at, some] of pieces.entries())
      if (some === null) yield { kind: 'action', action: { do: 'run', sql: [action.sql[at]!] }, ...place, ...ends };
      else yield* inPieces(some, place);
  }

  /** Null: the statement is run as a whole. */
  #piecesOf(sql: string): RowPieces | null {
    if (!IS_ROWS.test(sql)) this.#keepsSome ||= KEEPS_SOME.test(sql);
    return this.#keepsSome ? null : rowPieces(sql);
  }

  /** A statement that is too long to be understood costs itself. */
  #translated(text: string): SqlAction {
    try {
      return this.#translator.translate(text);
    } catch (error) {
      const { code, message } = toAppError(error);
      if (code !== 'too-big') throw error;
      return { do: 'refuse', reason: message };
    }
  }

  *#command({ text, line }: Extract<SqlItem, { kind: 'command' }>): Generator<DumpStep> {
    if (/^\\(?:un)?restrict\b/.test(text)) return;
    const program = this.#dialect === 'sqlite' ? 'sqlite3' : 'sqlcmd';
    const reason = /^\s*GO\b/i.test(text)
      ? 'It repeats the statements before it, which were run once.'
      : `It is a command of the program ${program}, not SQL.`;
    const action: SqlAction =
      this.#dialect === 'postgresql' ? this.#translator.translate(text) : { do: 'refuse', reason };
    yield { kind: 'action', action, line, text: shownOf(text), isOpen: false, after: '' };
  }

  /** Rows of a COPY that is not understood are passed over. */
  *#rows({ text, line, isEnd, isOpen }: Extract<SqlItem, { kind: 'rows' }>): Generator<DumpStep> {
    for (const some of this.#copied?.read(text, line) ?? []) yield { kind: 'copied', ...some };
    if (!isEnd) return;
    for (const some of this.#copied?.end() ?? []) yield { kind: 'copied', ...some };
    this.#noteOdd();
    this.#copied = null;
    yield { kind: 'copy-end', line, isOpen };
  }
}

function sqlOf(action: SqlAction): readonly string[] {
  if (action.do === 'run') return action.sql;
  return action.do === 'create-table' ? [createTableSql(action.table), ...action.checks, ...action.after] : [];
}

/** @param line of the statement */
function* leftRows(left: readonly LeftRow[], line: number): Generator<DumpStep> {
  for (const { lines, text, reason } of left)
    yield { kind: 'action', action: { do: 'refuse', reason }, line: line + lines, text, isOpen: false, after: '' };
}

function* inPieces({ head, rows, clause }: RowPieces, place: StatementPlace): Generator<DumpStep> {
  for (const [at, some] of rows.entries()) {
    const ends = { isFirst: at === 0, isEnd: at === rows.length - 1 };
    yield { kind: 'piece', sql: `${head}${some}${clause}`, ...place, ...ends };
  }
}

/** @param head of the statement, whose first rows are handed out already */
function* restOf({ text, isOpen, isQuoted }: Statement, head: string): Generator<DumpStep> {
  if (isQuoted) return yield { kind: 'rest', rows: '', clause: '', isApart: false, isEnd: true, isOpen };
  const pieces = rowPieces(text, 0);
  const isApart = pieces !== null && ['', ';'].includes(withoutBlanks(pieces.clause));
  const { rows, clause } = pieces ?? { rows: [text.slice(head.length + ' VALUES '.length)], clause: '' };
  for (const [at, some] of rows.entries())
    yield { kind: 'rest', rows: some, clause, isApart, isEnd: at === rows.length - 1, isOpen };
}
