// Finds the place of an error: better-sqlite3 gives SQLite's message only, not its offset.
/* oxlint-disable sidelite/text-decisions -- SQLite's own messages */
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

const NAMED =
  /^(?:no such column|ambiguous column name|no such function|misuse of (?:aggregate|window function)|wrong number of arguments to function|not authorized to use function|unsafe use of):? ([^]*?)(?:\(\))?$/;
const MAX_TRIES = 40;
/** In characters. Nobody looks for a place in a longer statement, and all tokens of one would have to be kept. */
const MAX_TEXT = 1_000_000;

/**
 * The UTF-16 offset in `sql` that `message` speaks of, or -1.
 * @param messageOf what SQLite says of another text; null when nothing is wrong with it
 */
export function findErrorOffset(sql: string, message: string, messageOf: (sql: string) => string | null): number {
  if (sql.length > MAX_TEXT) return -1;
  const near = /^(?:near|unrecognized token:) "([^]*)"(?:: syntax error)?$/.exec(message)?.[1];
  if (near !== undefined) return findRefused(occurrencesOf(sql, near), sql, message, messageOf);
  const name = NAMED.exec(message)?.[1];
  return name === undefined ? -1 : findUnknown(nameOccurrences(sql, name), sql, message, messageOf);
}

interface Occurrence {
  readonly from: number;
  readonly to: number;
}

/** The parser refuses the first token that cannot follow: text that ends with an earlier one only is not complete. */
function findRefused(
  occurrences: readonly Occurrence[],
  sql: string,
  message: string,
  messageOf: (sql: string) => string | null,
): number {
  let [low, high] = [0, occurrences.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (messageOf(sql.slice(0, occurrences[middle]!.to)) === message) high = middle;
    else low = middle + 1;
  }
  return occurrences[low]?.from ?? -1;
}

/** The name without which the error is gone; the first name if none alone causes it. */
function findUnknown(
  occurrences: readonly Occurrence[],
  sql: string,
  message: string,
  messageOf: (sql: string) => string | null,
): number {
  if (occurrences.length > 1) {
    for (const { from, to } of occurrences.slice(0, MAX_TRIES)) {
      if (messageOf(`${sql.slice(0, from)}NULL${sql.slice(to)}`) !== message) return from;
    }
  }
  return occurrences[0]?.from ?? -1;
}

function occurrencesOf(sql: string, text: string): readonly Occurrence[] {
  const occurrences: Occurrence[] = [];
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    if (scanner.text === text) occurrences.push({ from: scanner.from, to: scanner.to });
    // The tokenizer may reject only the beginning of what this scanner takes for one token.
    else if (scanner.text.startsWith(text)) occurrences.push({ from: scanner.from, to: scanner.from + text.length });
  }
  return occurrences;
}

/** `a.b` is a name in several tokens. */
function nameOccurrences(sql: string, name: string): readonly Occurrence[] {
  const last = name.split('.');
  const occurrences: Occurrence[] = [];
  const scanner = new SqlScanner(sql);
  const tokens: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  while (scanner.next() !== Token.end) {
    const isName = scanner.kind === Token.word || scanner.kind === Token.quoted;
    tokens.push({ name: isName ? scanner.name : scanner.text, from: scanner.from, to: scanner.to });
  }
  const matches = (at: number): boolean =>
    last.every(
      (part, index) =>
        tokens[at + 2 * index]?.name === part && (index === 0 || tokens[at + 2 * index - 1]?.name === '.'),
    );
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.name === name) occurrences.push(tokens[at]!);
    else if (last.length > 1 && matches(at))
      occurrences.push({ from: tokens[at]!.from, to: tokens[at + 2 * (last.length - 1)]!.to });
  }
  return occurrences;
}
