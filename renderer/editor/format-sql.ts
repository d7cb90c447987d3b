// Reformats SQL, statement by statement. If a formatter would change more than white space, the statement is left as it was.
import { formatDialect, sqlite } from 'sql-formatter';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import type { TextRange } from '#shared/split-statements.ts';

export interface Formatted {
  readonly changes: readonly (TextRange & { readonly insert: string })[];
  /** Statements that are left as they were. */
  readonly kept: number;
}

const OPTIONS = { dialect: sqlite, tabWidth: 2, keywordCase: 'preserve', linesBetweenQueries: 1 } as const;
/** Bodies of triggers and arguments of virtual tables are no SQL that the formatter knows. */
const NOT_UNDERSTOOD = /^create\s+(?:(?:temp|temporary)\s+)?trigger\b|^create\s+virtual\b/i;
/** Two of these beside each other are one operator, or the beginning of a comment. */
const OPERATOR = /^[-<>=!|&/*%~+]$/;

/** @param statements places of what is to be formatted */
export function formatStatements(sql: string, statements: readonly TextRange[]): Formatted {
  const changes: (TextRange & { insert: string })[] = [];
  let kept = 0;
  for (const { from, to } of statements) {
    const text = sql.slice(from, to);
    const formatted = formatStatement(text);
    if (formatted === null) kept++;
    else if (formatted !== text) changes.push({ from, to, insert: formatted });
  }
  return { changes, kept };
}

/** Null where the result would not be the same statement. */
export function formatStatement(sql: string): string | null {
  if (NOT_UNDERSTOOD.test(sql)) return null;
  try {
    const formatted = formatDialect(sql, OPTIONS).trim();
    return sameTokens(sql, formatted) ? formatted : null;
  } catch {
    return null; // it is not understood
  }
}

/** Whether both are the same tokens and comments, with other white space between them. */
function sameTokens(a: string, b: string): boolean {
  const [one, other] = [new SqlScanner(a), new SqlScanner(b)];
  let [endOfOne, endOfOther] = [0, 0];
  let wasOperator = false;
  for (;;) {
    const kind = one.next();
    if (other.next() !== kind) return false;
    const gap = [a.slice(endOfOne, one.from), b.slice(endOfOther, other.from)] as const;
    if (collapsed(gap[0]) !== collapsed(gap[1])) return false;
    // The end of SQLite's text is a NUL, too.
    if (kind === Token.end) return one.from === a.length && other.from === b.length;
    if (one.text !== other.text) return false;
    const isOperator = OPERATOR.test(one.text);
    if (isOperator && wasOperator && (gap[0] === '') !== (gap[1] === '')) return false;
    wasOperator = isOperator;
    [endOfOne, endOfOther] = [one.to, other.to];
  }
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();
