// Finds the literals of a statement that may just as well be parameters. Only where both mean the same: in the rows of INSERT … VALUES, and
// as one whole side of =, <, > or BETWEEN after SET and WHERE. Names of columns, places in ORDER BY, expressions that indexes are made of
// and LIKE keep their text; whatever is not plainly understood makes the text no pattern.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { isTelling, LiteralKind, Literals, MAX_LITERALS, readLiteral } from './literals.ts';
import type { LiteralPattern, TextUnits } from './literals.ts';

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
