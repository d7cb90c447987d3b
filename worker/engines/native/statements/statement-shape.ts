// What a statement is and does, told from its tokens: better-sqlite3 has no authorizer to ask. Nothing here keeps a statement from
// being run (compiler.ts does), and what it writes is asked of SQLite where the tokens do not tell it plainly (statement-plans.ts).
import type { Control } from '../../engine.ts';
import { SqlScanner, skipToStatement, Token, unquote } from '#shared/sql-scanner.ts';
import { ParameterNumbers } from '#shared/sql-parameters.ts';

// CREATE TABLE and CREATE INDEX that SQLite can prepare, run, and free in one call. A dump of many tables is little else, and better-sqlite3 frees a
// prepared statement only once it is garbage: each change of the schema goes through all that are left.

export interface Definition {
  readonly sql: string;
  readonly shape: StatementShape;
}

const CREATE = /^\s*CREATE\s+(?:TABLE|(?:UNIQUE\s+)?INDEX)\b/i;
/** A table that is made of a query may take long. */
const AS = /\bAS\b/i;

/**
 * Whether SQLite, too, sees one statement in the text, wherever it sees the ends of quotes and comments: a call that runs all statements of a text
 * runs this one.
 */
export function isOneStatement(sql: string): boolean {
  const semicolon = sql.indexOf(';');
  return !sql.includes('\0') && (semicolon < 0 || sql.slice(semicolon + 1).trim() === '');
}

/** Null for any other text. */
export function definitionOf(sql: string): Definition | null {
  if (!CREATE.test(sql) || AS.test(sql) || !isOneStatement(sql)) return null;
  const shape = readStatement(sql);
  return shape === null || shape.parameters.length > 0 ? null : { sql: sql.slice(shape.from, shape.to), shape };
}

export type Verb =
  | 'read' | 'explain' | 'insert' | 'update' | 'delete'
  | 'create' | 'drop' | 'alter'
  | 'begin' | 'commit' | 'rollback' | 'rollback-to' | 'savepoint' | 'release'
  | 'attach' | 'detach' | 'vacuum' | 'pragma' | 'analyze' | 'reindex' | 'other'; // prettier-ignore

/** Told by the first word of a statement, which SQLite cannot read in another way (compiler.ts). */
export const CONTROLS: Readonly<Partial<Record<Verb, Control>>> = {
  begin: 'transaction', commit: 'transaction', rollback: 'transaction', 'rollback-to': 'savepoint',
  savepoint: 'savepoint', release: 'savepoint', attach: 'attach', detach: 'attach', vacuum: 'vacuum',
}; // prettier-ignore

export interface QualifiedName {
  /** Lower case; null when the statement does not say. */
  readonly schema: string | null;
  readonly name: string;
}

export type ObjectKind = 'table' | 'view' | 'index' | 'trigger';

/** A parameter as written in the text. */
export interface ParameterToken {
  readonly index: number;
  /** Name as in better-sqlite3, without the first character; null for a plain `?`. */
  readonly name: string | null;
  readonly from: number;
  readonly to: number;
}

export interface StatementShape {
  readonly verb: Verb;
  /** Object that is written to, created, dropped or altered; the pragma or the savepoint. Null when the text does not name it plainly. */
  readonly target: QualifiedName | null;
  readonly object: ObjectKind | null;
  /** `CREATE INDEX … ON` and `CREATE TRIGGER … ON`: the table. */
  readonly on: string | null;
  /** Covers only the first sort of CREATE; what else is temporary is seen by the schema it changes. */
  readonly temporary: boolean;
  /** The statement, or a table that it defines, may remove rows to make room: `OR REPLACE`, `ON CONFLICT REPLACE`. */
  readonly replaces: boolean;
  /** The statement may keep the rows before a row that failed: `OR FAIL`. */
  readonly fails: boolean;
  /** `CREATE … IF NOT EXISTS`. */
  readonly ifNotExists: boolean;
  /** `ALTER TABLE … RENAME TO`. */
  readonly renamesTable: boolean;
  /** A pragma with a value. */
  readonly hasValue: boolean;
  /** The statement begins with WITH: its verb and its target come later. */
  readonly isWith: boolean;
  /** Parameters; their places count from {@link from}. */
  readonly parameters: readonly ParameterToken[];
  readonly from: number;
  /** End of the semicolon after the statement, or of the text. */
  readonly to: number;
}

const VERBS: Readonly<Record<string, Verb>> = {
  SELECT: 'read', VALUES: 'read', EXPLAIN: 'explain',
  INSERT: 'insert', REPLACE: 'insert', UPDATE: 'update', DELETE: 'delete',
  CREATE: 'create', DROP: 'drop', ALTER: 'alter',
  BEGIN: 'begin', COMMIT: 'commit', END: 'commit', ROLLBACK: 'rollback',
  SAVEPOINT: 'savepoint', RELEASE: 'release',
  ATTACH: 'attach', DETACH: 'detach', VACUUM: 'vacuum', PRAGMA: 'pragma', ANALYZE: 'analyze', REINDEX: 'reindex', WITH: 'read',
}; // prettier-ignore

const OBJECTS: Readonly<Record<string, ObjectKind>> = {
  TABLE: 'table',
  VIEW: 'view',
  INDEX: 'index',
  TRIGGER: 'trigger',
};

/** Words that may occur between a verb and the name it is about. */
const FILLERS: ReadonlySet<string> = new Set([
  'OR', 'REPLACE', 'ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'INTO', 'FROM', 'IF', 'NOT', 'EXISTS', 'TEMP', 'TEMPORARY',
  'UNIQUE', 'VIRTUAL', 'TABLE', 'VIEW', 'INDEX', 'TRIGGER', 'SAVEPOINT', 'TRANSACTION', 'TO',
]); // prettier-ignore

/** A token that matters here: its text, in upper case for words, unchanged for the rest. */
interface Word {
  readonly kind: Token;
  readonly text: string;
  readonly name: string;
}

/** Enough for every beginning that is looked at. */
const MAX_WORDS = 24;

/** What neither ends a statement, nor is a parameter, nor may hide one of them. */
const PLAIN = /[^;'"`[\-/\0?:@#$]+/y;
/** A dollar sign belongs to the word before it. */
const REST_OF_WORD = /(?<=[\w$\u0080-\uffff])[\w$\u0080-\uffff]+/y;
const REPLACE_OR_FAIL = /replace|fail/i;
const REPLACE = /(?<![\w$\u0080-\uffff])replace(?![\w$\u0080-\uffff])/i;
const FAIL = /(?<![\w$\u0080-\uffff])fail(?![\w$\u0080-\uffff])/i;

/** Null when there is no statement at `at` or after it: only blanks, comments and empty statements. */
export function readStatement(sql: string, at = 0): StatementShape | null {
  const from = skipToStatement(sql, at);
  const scanner = new SqlScanner(sql, from);
  const words: Word[] = [];
  const parameters = new Parameters(from);
  let main: Word[] | null = null;
  let depth = 0;
  let isTrigger = false;
  let [replaces, fails] = [false, false];
  let last = '';
  let beforeLast = '';
  while (scanner.next() !== Token.end) {
    const { kind } = scanner;
    const text =
      kind === Token.word || kind === Token.other || kind === Token.semicolon ? scanner.text.toUpperCase() : '';
    if (kind === Token.semicolon && !(isTrigger && !(last === 'END' && beforeLast === ';'))) break;
    if (kind === Token.variable) parameters.add(scanner);
    if (text === '(') depth++;
    else if (text === ')') depth--;
    if (text === 'REPLACE') replaces = true;
    if (text === 'FAIL') fails = true;
    if (words.length < MAX_WORDS) {
      words.push({
        kind,
        text,
        name: kind === Token.word || kind === Token.quoted || kind === Token.text ? scanner.name : '',
      });
      isTrigger ||=
        text === 'TRIGGER' &&
        /^(?:EXPLAIN (?:QUERY PLAN )?)?CREATE (?:TEMP |TEMPORARY )?TRIGGER$/.test(
          words.map((word) => word.text).join(' '),
        );
    }
    // After WITH … the verb is outside all parentheses.
    if (main === null && words[0]!.text === 'WITH' && depth === 0 && isMainVerb(text, last)) main = [];
    if (main !== null && main.length < MAX_WORDS)
      main.push({ kind, text, name: kind === Token.word || kind === Token.quoted ? scanner.name : '' });
    beforeLast = last;
    last = text;
    const isMainRead = main === null ? words[0]!.text !== 'WITH' : main.length === MAX_WORDS;
    if (words.length === MAX_WORDS && isMainRead && !isTrigger) {
      const rest = readRest(scanner, parameters);
      replaces ||= rest.replaces;
      fails ||= rest.fails;
      break;
    }
  }
  if (words.length === 0) return null;
  const isWith = words[0]!.text === 'WITH';
  return { ...describe(main ?? words), isWith, replaces, fails, parameters: parameters.tokens, from, to: scanner.to };
}

/**
 * Moves to the end of a statement whose beginning is read, and does not stop at the tokens between: a statement may have millions of
 * them, and SQLite may refuse it at the first.
 */
function readRest(scanner: SqlScanner, parameters: Parameters): Pick<StatementShape, 'replaces' | 'fails'> {
  let [replaces, fails] = [false, false];
  do {
    // A word behind a comment has been read as a token.
    const from = scanner.kind === Token.word ? scanner.from : scanner.to;
    skipPlain(scanner);
    const plain = scanner.sql.slice(from, scanner.to);
    if (REPLACE_OR_FAIL.test(plain)) {
      replaces ||= REPLACE.test(plain);
      fails ||= FAIL.test(plain);
    }
  } while (readNext(scanner, parameters));
  return { replaces, fails };
}

function skipPlain(scanner: SqlScanner): void {
  const { sql } = scanner;
  for (;;) {
    PLAIN.lastIndex = scanner.to;
    if (!PLAIN.test(sql)) return;
    REST_OF_WORD.lastIndex = scanner.to = PLAIN.lastIndex;
    if (!REST_OF_WORD.test(sql)) return;
    scanner.to = REST_OF_WORD.lastIndex;
  }
}

/** False at the end of the statement. */
function readNext(scanner: SqlScanner, parameters: Parameters): boolean {
  const kind = scanner.next();
  if (kind === Token.variable) parameters.add(scanner);
  return kind !== Token.semicolon && kind !== Token.end;
}

function isMainVerb(text: string, before: string): boolean {
  // `WITH replace AS (…)` is a name.
  return before === ')' && /^(?:SELECT|VALUES|INSERT|REPLACE|UPDATE|DELETE)$/.test(text);
}

type Described = Omit<StatementShape, 'isWith' | 'replaces' | 'fails' | 'parameters' | 'from' | 'to'>;

const NOTHING: Described = {
  verb: 'other', target: null, object: null, on: null, temporary: false, ifNotExists: false, renamesTable: false, hasValue: false,
}; // prettier-ignore

function describe(words: readonly Word[]): Described {
  const verb = VERBS[words[0]!.text] ?? 'other';
  switch (verb) {
    case 'insert':
    case 'update':
    case 'delete':
      return { ...NOTHING, verb, target: nameAt(words, skipFillers(words)) };
    case 'create':
    case 'drop':
    case 'alter':
      return describeDefinition(verb, words);
    case 'rollback':
      return words.some(({ text }) => text === 'TO')
        ? { ...NOTHING, verb: 'rollback-to', target: lastName(words) }
        : { ...NOTHING, verb };
    case 'savepoint':
    case 'release':
      return { ...NOTHING, verb, target: lastName(words) };
    case 'pragma':
      return describePragma(words);
    default:
      return { ...NOTHING, verb };
  }
}

function describeDefinition(verb: Verb, words: readonly Word[]): Described {
  const object = OBJECTS[words.find(({ text }) => text in OBJECTS)?.text ?? ''] ?? null;
  const on = object === 'index' || object === 'trigger' ? words.findIndex(({ text }) => text === 'ON') : -1;
  return {
    ...NOTHING,
    verb,
    object,
    target: nameAt(words, skipFillers(words)),
    on: on < 0 ? null : (nameAt(words, on + 1)?.name ?? null),
    temporary: /^TEMP(?:ORARY)?$/.test(words[1]?.text ?? ''),
    ifNotExists: verb === 'create' && words.slice(0, 6).some(({ text }) => text === 'EXISTS'),
    renamesTable:
      verb === 'alter' && words.some(({ text }, place) => text === 'RENAME' && words[place + 1]?.text === 'TO'),
  };
}

function describePragma(words: readonly Word[]): Described {
  const target = nameAt(words, 1);
  const hasValue = words.some(({ text }) => text === '=' || text === '(');
  const name = target?.name.toLowerCase() ?? '';
  return { ...NOTHING, verb: 'pragma', target: target && { ...target, name }, hasValue };
}

function skipFillers(words: readonly Word[]): number {
  let index = 1;
  while (index < words.length && FILLERS.has(words[index]!.text) && !endsName(words[index + 1])) index++;
  return index;
}

/** A filler word can be a name as well: then no other name follows it. */
function endsName(next: Word | undefined): boolean {
  return next === undefined || next.text === '(' || next.text === '.' || next.text === 'SET' || next.text === 'VALUES';
}

function nameAt(words: readonly Word[], index: number): QualifiedName | null {
  const first = words[index];
  if (first === undefined || !isName(first)) return null;
  const second = words[index + 2];
  if (words[index + 1]?.text !== '.' || second === undefined || !isName(second))
    return { schema: null, name: first.name };
  return { schema: first.name.toLowerCase(), name: second.name };
}

function lastName(words: readonly Word[]): QualifiedName | null {
  return nameAt(words, words.length - 1);
}

function isName({ kind }: Word): boolean {
  return kind === Token.word || kind === Token.quoted || kind === Token.text;
}

class Parameters {
  readonly tokens: ParameterToken[] = [];
  readonly #numbers = new ParameterNumbers();
  readonly #from: number;

  constructor(from: number) {
    this.#from = from;
  }

  add(scanner: SqlScanner): void {
    const { text, from, to } = scanner;
    const name = text === '?' ? null : text.slice(1);
    this.tokens.push({ index: this.#numbers.numberOf(text), name, from: from - this.#from, to: to - this.#from });
  }
}

/** Every name in a piece of SQL, in lower case: words, and what stands in quotes. `*` when all columns are meant. */
export function namesIn(sql: string): ReadonlySet<string> {
  const names = new Set<string>();
  const scanner = new SqlScanner(sql);
  let [last, beforeLast] = ['', ''];
  while (scanner.next() !== Token.end) {
    let text = scanner.text;
    if (scanner.kind === Token.word || scanner.kind === Token.quoted) names.add((text = scanner.name.toLowerCase()));
    // `FROM 'a'` is accepted too.
    else if (scanner.kind === Token.text) names.add(unquote(text).toLowerCase());
    // `count(*)` reads no column.
    else if (text === '*' && !(last === '(' && beforeLast === 'count')) names.add('*');
    beforeLast = last;
    last = text;
  }
  return names;
}
