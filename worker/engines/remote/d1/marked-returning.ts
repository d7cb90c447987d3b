// The values that a statement returns with RETURNING, marked with their storage classes: such a statement cannot be a part of a query.
import { SqlScanner, Token, unquote } from '#shared/sql-scanner.ts';
import { quoteName } from '../../../sql/quote.ts';
import { markedName, markedSql } from './d1-values.ts';

/**
 * @param columns names of the columns that the statement returns
 * @param most of the columns, from the first one on
 * @returns null where the clause is not understood; the unchanged statement where it has no such clause
 */
export function markedReturning(sql: string, columns: readonly string[], most: number): string | null {
  if (columns.length === 0) return sql;
  const clause = findClause(sql);
  if (clause === null) return null;
  const [first, ...rest] = clause.items;
  const expressions =
    first === undefined
      ? []
      : rest.length === 0 && first.text === '*'
        ? columns.map(quoteName)
        : clause.items.map((item, at) => item.withoutAlias(columns[at]));
  if (expressions.length !== columns.length || expressions.includes('*')) return null;
  // A subquery keeps the text of an expression, which may be long, from being repeated. A comment may end it.
  const marked = expressions
    .slice(0, most)
    .map((each, at) => `(SELECT ${markedSql('v', true)} FROM (SELECT ${each}\n AS v)) AS ${markedName(at)}`);
  return `${sql.slice(0, clause.from)} ${marked.join(', ')}`;
}

interface Piece {
  readonly kind: Token;
  readonly from: number;
  readonly to: number;
}

class Item {
  readonly #sql: string;
  readonly #pieces: readonly Piece[];

  constructor(sql: string, pieces: readonly Piece[]) {
    this.#sql = sql;
    this.#pieces = pieces;
  }

  get text(): string {
    return this.#upTo(this.#pieces.length);
  }

  /** @param name what the column is called: a name of its own can be told by it */
  withoutAlias(name: string | undefined): string {
    const { length } = this.#pieces;
    const last = this.#pieces[length - 1];
    const before = this.#pieces[length - 2];
    if (!last || !before) return this.text;
    if (/^AS$/i.test(this.#text(before))) return this.#upTo(length - 2);
    const isName = last.kind === Token.word || last.kind === Token.quoted || last.kind === Token.text;
    const follows = before.kind !== Token.other || this.#text(before) === ')';
    const named = last.kind === Token.word ? this.#text(last) : unquote(this.#text(last));
    return isName && follows && named === name ? this.#upTo(length - 1) : this.text;
  }

  #text({ from, to }: Piece): string {
    return this.#sql.slice(from, to);
  }

  #upTo(count: number): string {
    const [first] = this.#pieces;
    return first === undefined || count === 0 ? '' : this.#sql.slice(first.from, this.#pieces[count - 1]!.to);
  }
}

interface Clause {
  /** Position after the word. */
  readonly from: number;
  readonly items: readonly Item[];
}

function findClause(sql: string): Clause | null {
  const scanner = new SqlScanner(sql);
  let depth = 0;
  let from = -1;
  let pieces: Piece[] = [];
  const items: Item[] = [];
  const end = (): void => {
    items.push(new Item(sql, pieces));
    pieces = [];
  };
  while (scanner.next() !== Token.end && scanner.kind !== Token.semicolon) {
    const { kind, text } = scanner;
    if (kind === Token.other && text === '(') depth++;
    if (kind === Token.other && text === ')') depth--;
    if (from < 0) {
      if (depth === 0 && kind === Token.word && /^RETURNING$/i.test(text)) from = scanner.to;
    } else if (depth === 0 && kind === Token.other && text === ',') end();
    else pieces.push({ kind, from: scanner.from, to: scanner.to });
  }
  if (from < 0) return null;
  end();
  return { from, items };
}
