// The statements of a script that differ from one before in their values alone, as those of a dump do: prepared once, and bound with the
// values that stand in the text.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { matchPattern, Literals, isTelling, LiteralKind, MAX_LITERALS, readLiteral } from './literals.ts';
import type { LiteralPattern, TextOffset, TextUnits } from './literals.ts';

/** A dump goes table by table; some programs write to a handful of them in turns. */
const MAX_PATTERNS = 8;
/** Longer statements cost more to run than to prepare. */
const MAX_UNITS = 8_192;
/** A statement is of the same kind as the statement before if this many characters at their beginnings are the same. */
const SAME_UNITS = 12;
/** After this many patterns of one kind of statement of which none was used, no more are made. */
const MAX_IN_VAIN = 8;

/** Nothing else is read between matching and binding. */
const literals = new Literals();

/** The text of a script as its engine reads it. */
export interface ScriptText {
  readonly units: TextUnits;
  slice(from: TextOffset, to: TextOffset): string;
  /** Encodes into units of the same kind. */
  encode(text: string): TextUnits;
}

export interface LiteralStatement {
  readonly parameterCount: number;
  /** Binds literals of `text`, until the statement is reset. Returns whether the engine accepts the literals. */
  bindLiterals(literals: Literals, text: ScriptText): boolean;
  finalize(): void;
}

export interface RepeatedStatement<S extends LiteralStatement> {
  readonly statement: S;
  /** End of its semicolon. */
  readonly tail: TextOffset;
}

export class RepeatedStatements<S extends LiteralStatement> {
  readonly #text: ScriptText;
  readonly #prepare: (sql: string) => S;
  /** The pattern that was made last comes first. */
  readonly #patterns: LiteralPattern[] = [];
  readonly #refused = new Set<string>();
  #inVain = 0;
  /** The statement that was prepared last. */
  #last: TextOffset | null = null;

  /** @param prepare from the cache of the connection, which knows what a change of the schema makes invalid */
  constructor(text: ScriptText, prepare: (sql: string) => S) {
    this.#text = text;
    this.#prepare = prepare;
  }

  /** The statement at `at`, bound; null if no pattern matches. */
  take(at: TextOffset): RepeatedStatement<S> | null {
    if (this.#patterns.length === 0) return null;
    const { units } = this.#text;
    for (let index = 0; index < this.#patterns.length; index++) {
      const pattern = this.#patterns[index]!;
      const end = matchPattern(pattern, units, at, literals);
      if (end < 0) continue;
      if (index > 0) {
        this.#patterns.splice(index, 1);
        this.#patterns.unshift(pattern);
      }
      const tail = units[end] === 0 ? end : end + 1;
      const statement = this.#bound(pattern);
      if (statement === null) return null;
      this.#inVain = 0;
      return { statement, tail };
    }
    return null;
  }

  /** A statement of the script that SQLite has taken. */
  learn(at: TextOffset, tail: TextOffset): void {
    const isOfKind = this.#isOfLastKind(at);
    this.#last = at;
    if (!isOfKind) this.#inVain = 0;
    if (!isOfKind || this.#inVain >= MAX_IN_VAIN || tail - at > MAX_UNITS) return;
    this.#inVain++;
    const pattern = this.#patternOf(at, tail);
    if (pattern === null || this.#refused.has(pattern.sql)) return;
    this.#patterns.unshift(pattern);
    if (this.#patterns.length > MAX_PATTERNS) this.#patterns.pop();
  }

  /** Where a column has REAL, NULL, and short numbers in turns, patterns learn from each other. */
  #patternOf(at: TextOffset, tail: TextOffset): LiteralPattern | null {
    const text = this.#text.slice(at, tail);
    const sql = text.endsWith(';') ? text.slice(0, -1) : text;
    const encode = (part: string): TextUnits => this.#text.encode(part);
    const own = patternOf(sql, encode);
    const other = own && this.#patterns.find((known) => isSameText(known, own));
    const both = other ? patternOf(sql, encode, other.reals) : null;
    return both && matchPattern(both, this.#text.units, at, literals) >= 0 ? both : own;
  }

  #isOfLastKind(at: TextOffset): boolean {
    const last = this.#last;
    if (last === null) return false;
    const { units } = this.#text;
    for (let index = 0; index < SAME_UNITS; index++) if (units[at + index] !== units[last + index]) return false;
    return true;
  }

  /** Null when SQLite has to prepare the text itself, so that its error names the problem and the position. */
  #bound(pattern: LiteralPattern): S | null {
    let statement: S | null = null;
    try {
      statement = this.#prepare(pattern.sql);
      if (statement.parameterCount === literals.count && statement.bindLiterals(literals, this.#text)) return statement;
    } catch {
      // SQLite prepares the text as written instead.
    }
    statement?.finalize();
    this.#patterns.splice(this.#patterns.indexOf(pattern), 1);
    this.#refused.add(pattern.sql);
    return null;
  }
}

const isSameText = (one: LiteralPattern, other: LiteralPattern): boolean =>
  one.ends.length === other.ends.length &&
  one.parts.length === other.parts.length &&
  one.ends.every((end, index) => end === other.ends[index]) &&
  one.parts.every((unit, index) => unit === other.parts[index]);

// Finds the literals of a statement that may just as well be parameters. Only where both mean the same: in the rows of INSERT … VALUES, and
// as one whole side of =, <, > or BETWEEN after SET and WHERE. Names of columns, places in ORDER BY, expressions that indexes are made of
// and LIKE keep their text; whatever is not plainly understood makes the text no pattern.

const ONLY_SPACE = /^[ \t\n\f\r]*$/;
/** The scanner reads signs one by one. */
const OPERATORS: ReadonlySet<string> = new Set('-> ->> <> != <= >= == << >> ||'.split(' '));
const COMPARISONS: ReadonlySet<string> = new Set(['=', '==', '<', '<=', '>', '>=', 'between']);
const AFTER_COMPARED: ReadonlySet<string> = new Set([',', 'and', 'or', 'where', 'group', 'order', 'limit', '']);
const AFTER_WHERE: ReadonlySet<string> = new Set(
  'from group having window union except intersect order limit on values select returning'.split(' '),
);

/** A token, words in lower case. */
interface Part {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Placeholder {
  readonly from: number;
  readonly to: number;
  readonly compared: boolean;
  readonly real: boolean;
}

/**
 * The pattern of one statement that SQLite has taken, without its semicolon; null when no literal in it can be a parameter.
 * @param encode into the units of the texts that the pattern is compared with
 * @param reals literals that are also read from their digits, as in another pattern with the same text
 */
export function patternOf(
  sql: string,
  encode: (text: string) => TextUnits,
  reals: readonly boolean[] = [],
): LiteralPattern | null {
  if (!/^(?:insert|replace|update|delete|select)\b/i.test(sql)) return null;
  const tokens = tokensOf(sql);
  const placeholders = tokens === null ? [] : placeholdersOf(tokens);
  if (placeholders.length === 0 || placeholders.length > MAX_LITERALS) return null;
  const parts = [...placeholders, null].map((placeholder, index) =>
    sql.slice(placeholders[index - 1]?.to ?? 0, placeholder?.from),
  );
  let end = 0;
  const isReal = placeholders.map(({ real }, index) => real || reals[index] === true);
  return {
    // SQLite reads the digits there as it reads the digits of a literal.
    sql: parts
      .map((part, index) => part + (index === isReal.length ? '' : isReal[index] ? 'CAST(? AS REAL)' : '?'))
      .join(''),
    parts: encode(parts.join('')),
    ends: parts.map((part) => (end += encode(part).length)),
    compared: placeholders.map(({ compared }) => compared),
    reals: isReal,
  };
}

/** Null if there are comments or parameters. */
function tokensOf(sql: string): readonly Part[] | null {
  const tokens: Part[] = [];
  const scanner = new SqlScanner(sql);
  for (let end = 0; ; end = scanner.to) {
    const kind = scanner.next();
    const { from, to } = scanner;
    if (!ONLY_SPACE.test(sql.slice(end, from)) || kind === Token.variable || kind === Token.semicolon) return null;
    if (kind === Token.end) return from === sql.length ? tokens : null;
    const text = scanner.text.toLowerCase();
    const last = tokens.at(-1);
    if (last?.to === from && OPERATORS.has(last.text + text))
      tokens[tokens.length - 1] = { text: last.text + text, from: last.from, to };
    else tokens.push({ text, from, to });
  }
}

function placeholdersOf(tokens: readonly Part[]): readonly Placeholder[] {
  const isInsert = /^(?:insert|replace)$/.test(tokens[0]!.text);
  const placeholders: Placeholder[] = [];
  let clause: 'none' | 'rows' | 'values' | 'conditions' | 'over' = 'none';
  let depth = 0;
  let inBetween = false;
  let last = '';
  for (const [index, { text, from, to }] of tokens.entries()) {
    if (text === '(') depth++;
    else if (text === ')') depth--;
    else if (depth === 0 && clause !== 'over') {
      if (text === 'returning') return [];
      if (isInsert) clause = text === 'values' ? 'rows' : text === 'on' ? 'over' : clause;
      else if (text === 'set') clause = 'values';
      else if (text === 'where') clause = 'conditions';
      else if (AFTER_WHERE.has(text)) clause = clause === 'conditions' ? 'over' : 'none';
    }
    const isBound: boolean = text === 'and' && inBetween && depth === 0;
    if (depth === 0 && (text === 'between' || isBound)) inBetween = !isBound;
    const sign = tokens[index - 1]?.text === '-' && tokens[index - 1]!.to === from ? 1 : 0;
    const before = tokens[index - 1 - sign]?.text ?? '';
    const after = tokens[index + 1]?.text ?? '';
    const isPlaceholder =
      clause === 'rows'
        ? depth === 1 && (before === '(' || before === ',') && (after === ',' || after === ')')
        : (clause === 'values' || clause === 'conditions') &&
          depth === 0 &&
          (COMPARISONS.has(before) || last === 'bound') &&
          AFTER_COMPARED.has(after);
    const compared = clause === 'conditions';
    const kind = isPlaceholder ? plainKind(text, compared) : null;
    if (kind !== null) placeholders.push({ from: from - sign, to, compared, real: kind === LiteralKind.longReal });
    // A sign belongs to what comes behind it.
    if (text !== '-') last = isBound ? 'bound' : text;
  }
  return placeholders;
}

const encoder = new TextEncoder();
const found = new Literals();

/** Null for a token that is no literal, or a literal that must not become a parameter where it is compared. */
function plainKind(text: string, compared: boolean): number | null {
  if (!/^[\d']|^x'|^null$/.test(text)) return null;
  const bytes = encoder.encode(`${text}\0`);
  if (readLiteral(bytes, 0, found, 0) !== bytes.length - 1) return null;
  const kind = found.kinds[0]!;
  return compared && (kind >= LiteralKind.longInteger || isTelling(found, 0)) ? null : kind;
}
