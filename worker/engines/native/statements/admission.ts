// Decides which text of a statement SQLite gets to see. Preparing must not act: better-sqlite3 has no authorizer to ask, so what acts
// while it is prepared (PRAGMA) is passed on only when it is understood to its last token, and everything else by its first word.
//
// Facts of SQLite this rests on (src/parse.y, src/tokenize.c): a statement begins with a keyword and no keyword begins two kinds of
// statements; a keyword is a run of letters that no character of an identifier follows. The text that is passed on begins with that
// keyword itself, so nothing depends on what counts as white space.
import { AppError } from '#shared/protocol/errors.ts';
import { refusalOfPragma } from '../../pragma-list.ts';
import { describeSql } from '../../sql-message.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

export interface Admitted {
  /** Has the same length as the original text, so that positions are the same in both. */
  readonly text: string;
  /** The statement may name a file: the program that SQLite makes of the statement tells, before it is run. */
  readonly isExamined: boolean;
  /** The statement is a PRAGMA, or EXPLAIN of a PRAGMA: preparing it has the same effects as running it. */
  readonly acts: boolean;
}

/** First words of statements that do nothing while they are prepared, and that cannot name a file. */
const ORDINARY: ReadonlySet<string> = new Set([
  'ALTER', 'ANALYZE', 'BEGIN', 'COMMIT', 'CREATE', 'DELETE', 'DETACH', 'DROP', 'END', 'INSERT', 'REINDEX', 'RELEASE', 'REPLACE',
  'ROLLBACK', 'SAVEPOINT', 'SELECT', 'UPDATE', 'VALUES', 'WITH',
]); // prettier-ignore
const FILE_WORDS: ReadonlySet<string> = new Set(['ATTACH', 'VACUUM']);

const FIRST_WORD = /^[A-Za-z]+(?![\w$\u0080-\uffff])/;

interface Piece {
  readonly kind: Token;
  readonly text: string;
  readonly from: number;
}

/**
 * @param sql one statement from its first word on
 * @param isEncrypted the database is, and temporary files would not be
 * @throws AppError `sql` with the offset of what cannot be there, `unavailable` for what is refused
 */
export function admit(sql: string, isEncrypted = false): Admitted {
  const word = FIRST_WORD.exec(sql)?.[0].toUpperCase() ?? '';
  if (ORDINARY.has(word)) return { text: sql, isExamined: false, acts: false };
  if (FILE_WORDS.has(word)) return { text: sql, isExamined: true, acts: false };
  if (word === 'PRAGMA') return { text: admitPragma(sql, isEncrypted), isExamined: false, acts: true };
  if (word === 'EXPLAIN') return admitExplained(sql, isEncrypted);
  throw syntaxError(nextPiece(new SqlScanner(sql)), sql);
}

/** `EXPLAIN [QUERY PLAN] statement`, where the statement is admitted by itself: it is prepared too. */
function admitExplained(sql: string, isEncrypted: boolean): Admitted {
  const scanner = new SqlScanner(sql);
  const pieces = [nextPiece(scanner)];
  let piece = nextPiece(scanner);
  if (isWord(piece, 'QUERY')) {
    pieces.push(piece);
    piece = nextPiece(scanner);
    if (!isWord(piece, 'PLAN')) throw syntaxError(piece, sql);
    pieces.push(piece);
    piece = nextPiece(scanner);
  }
  if (isWord(piece, 'EXPLAIN')) throw syntaxError(piece, sql);
  try {
    const { text, acts } = admit(sql.slice(piece.from), isEncrypted);
    return { text: spaced(pieces, piece.from) + text, isExamined: false, acts };
  } catch (error) {
    throw error instanceof AppError ? movedBy(piece.from, error) : error;
  }
}

/** `PRAGMA [schema.]name [= value | (value)]`, each token one that cannot be read in two ways. */
function admitPragma(sql: string, isEncrypted: boolean): string {
  const scanner = new SqlScanner(sql);
  const pieces = [nextPiece(scanner)];
  const take = (isIt: (piece: Piece) => boolean): Piece => {
    const piece = nextPiece(scanner);
    if (!isIt(piece)) throw syntaxError(piece, sql);
    pieces.push(piece);
    return piece;
  };
  let name = take(isName);
  let next = nextPiece(scanner);
  if (next.text === '.') {
    pieces.push(next);
    name = take(isName);
    next = nextPiece(scanner);
  }
  let value: string | null = null;
  if (next.text === '=' || next.text === '(') {
    pieces.push(next);
    const first = take((piece) => isName(piece) || isNumber(piece) || isSign(piece));
    value = isSign(first) ? first.text + take(isNumber).text : nameOf(first);
    if (next.text === '(') take(({ text }) => text === ')');
    next = nextPiece(scanner);
  }
  if (next.kind === Token.semicolon) pieces.push(next);
  else if (next.kind !== Token.end) throw syntaxError(next, sql);
  const refusal = refusalOfPragma(nameOf(name), value, isEncrypted);
  if (refusal !== null) throw refused(refusal);
  return spaced(pieces, sql.length);
}

function nextPiece(scanner: SqlScanner): Piece {
  const kind = scanner.next();
  return { kind, text: scanner.text, from: scanner.from };
}

/** The tokens where they are, with spaces between them. */
function spaced(pieces: readonly Piece[], length: number): string {
  let text = '';
  for (const piece of pieces) text = text.padEnd(piece.from) + piece.text;
  return text.padEnd(length);
}

function isWord({ kind, text }: Piece, word: string): boolean {
  return kind === Token.word && text.toUpperCase() === word;
}

/** A word of letters, or closed quotes. */
function isName({ kind, text }: Piece): boolean {
  if (kind === Token.word) return /^[A-Za-z_]\w*$/.test(text);
  if (kind !== Token.quoted && kind !== Token.text) return false;
  return /^(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])$/.test(text);
}

function isNumber({ kind, text }: Piece): boolean {
  return kind === Token.number && /^(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?)$/.test(text);
}

function isSign({ text }: Piece): boolean {
  return text === '-' || text === '+';
}

function nameOf({ kind, text }: Piece): string {
  if (kind !== Token.quoted && kind !== Token.text) return text;
  const quote = text[0]!;
  return quote === '[' ? text.slice(1, -1) : text.slice(1, -1).replaceAll(quote + quote, quote);
}

export function refused(message: string): AppError {
  return AppError.unavailable(message, { sqlite: { result: 23, extended: 23, offset: -1 } });
}

function syntaxError({ kind, text, from }: Piece, sql: string): AppError {
  const message = kind === Token.end ? 'incomplete input' : `near "${text}": syntax error`;
  const offset = kind === Token.end ? sql.length : from;
  return new AppError({ code: 'sql', ...describeSql(message), sqlite: { result: 1, extended: 1, offset } });
}

/** The same error, its offset counted from `from` characters earlier. */
export function movedBy(from: number, { code, message, sqlite, detail }: AppError): AppError {
  const moved = sqlite && sqlite.offset >= 0 ? { ...sqlite, offset: sqlite.offset + from } : sqlite;
  return new AppError({ code, message, ...(moved && { sqlite: moved }), ...(detail && { detail }) });
}
