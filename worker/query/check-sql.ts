// Finds the errors SQLite reports when it prepares the statements of a text, without running any of it, not even a PRAGMA that acts while it is
// prepared.
import { foldName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { sliceEnd } from '../readers/slice.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { explainMissing } from '../schema/missing-name.ts';
import { leadingKeyword, splitStatements, tokenEnd, type TextRange } from '#shared/split-statements.ts';

/** A statement after one of these may need what it creates, or be valid only without what it drops. */
const SCHEMA_WORDS = new Set(['CREATE', 'DROP', 'ALTER']);
/** The names available after one of these are unknown until it has run. */
const FILE_WORDS = new Set(['ATTACH', 'DETACH']);
/** Longer texts are scripts, whose errors are not marked while typing. */
const MAX_STATEMENTS = 200;
/** A text with more is not SQL. */
const MAX_PROBLEMS = 50;

interface SqlProblem extends TextRange {
  readonly message: string;
  /** The name in the error, as written in the text. */
  readonly name: string | null;
}

export function* checkSql(turn: Turn, sql: string): Generator<Pause, readonly SqlProblem[]> {
  const problems: FoundProblem[] = [];
  const changed = new ChangedNames();
  let end = sliceEnd(turn);
  for (const range of splitStatements(sql).slice(0, MAX_STATEMENTS)) {
    const text = sql.slice(range.from, range.to);
    const problem = checkStatement(turn, sql, range);
    if (problem && (problem.isSyntax || !changed.mayExplain(text, problem.name))) problems.push(problem);
    const word = leadingKeyword(text);
    if (FILE_WORDS.has(word) || problems.length === MAX_PROBLEMS) break;
    if (SCHEMA_WORDS.has(word)) changed.note(text);
    if (performance.now() < end) continue;
    yield 'between';
    end = sliceEnd(turn);
  }
  return problems.map(({ isSyntax: _isSyntax, ...problem }) => problem);
}

interface FoundProblem extends SqlProblem {
  /** True if it is an error whatever objects there are. */
  readonly isSyntax: boolean;
}

function checkStatement(turn: Turn, sql: string, range: TextRange): FoundProblem | null {
  const text = sql.slice(range.from, range.to);
  try {
    turn.connection.check(text);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, sqlite, detail } = explainMissing(turn.connection, error, text, { from: 0, to: text.length });
    const offset = sqlite?.offset ?? -1;
    const name = typeof detail?.['name'] === 'string' ? detail['name'] : null;
    const isSyntax = detail?.['isSyntax'] === true;
    if (offset < 0) return { message, name, isSyntax, ...range };
    const from = Math.min(range.from + offset, range.to);
    return { message, name, isSyntax, from, to: Math.min(tokenEnd(sql, from), range.to) };
  }
}

/**
 * Names that the statements of a text create, drop, or change: what SQLite says about them is known only after those statements have run.
 */
class ChangedNames {
  /** Objects of the statements, named before the definition. */
  readonly #objects = new Set<string>();
  /** Every name in them. */
  readonly #names = new Set<string>();

  /** @param sql one CREATE, DROP, or ALTER */
  note(sql: string): void {
    let isDefinition = false;
    for (const { name, isWord } of namesAndSigns(sql)) {
      isDefinition ||= name === '(' || (isWord && (name === 'as' || name === 'begin'));
      this.#names.add(name);
      if (!isDefinition && !GRAMMAR.has(name)) this.#objects.add(name);
    }
  }

  /** Whether an error in `sql` may be gone after the statements have run. @param about the name in the error */
  mayExplain(sql: string, about: string | null): boolean {
    if (this.#objects.size === 0) return false;
    const name = about === null ? null : foldName(about);
    if (name !== null && (this.#names.has(name) || this.#isShadow(name))) return true;
    return namesAndSigns(sql).some((each) => this.#objects.has(each.name));
  }

  /** A virtual table comes with tables whose names begin with its own. */
  #isShadow(name: string): boolean {
    return [...this.#objects].some((object) => name.startsWith(`${object}_`));
  }
}

/** Words before a definition that name nothing. */
const GRAMMAR = new Set(
  (
    'create drop alter temp temporary unique virtual table index view trigger if not exists on using before after instead of ' +
    'insert update delete add column rename to set default for each row when main'
  ).split(' '),
);

interface NameOrSign {
  /** Folded. */
  readonly name: string;
  readonly isWord: boolean;
}

function namesAndSigns(sql: string): readonly NameOrSign[] {
  const found: NameOrSign[] = [];
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    const isWord = scanner.kind === Token.word;
    if (isWord || scanner.kind === Token.quoted) found.push({ name: foldName(scanner.name), isWord });
    else if (scanner.text === '(') found.push({ name: '(', isWord: false });
  }
  return found;
}
