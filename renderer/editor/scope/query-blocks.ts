// What a statement consists of, as far as names go: blocks (one per SELECT, INSERT, UPDATE, …), the sources each reads from, and result columns.
import type { SqlToken } from './statement-tokens.ts';

/** Something that columns can come from: a table, a view, a table function, a CTE, or a subquery. */
export interface Source {
  /** Qualifier of its columns: the alias, or the name of the table. '' for a subquery without an alias. */
  readonly name: string;
  /** The token that gives it this name. */
  readonly at: SqlToken;
  readonly hasAlias: boolean;
  /** The name of the table; null for a subquery. */
  readonly table: string | null;
  /** The name before that of the table; null if there is none. */
  readonly schema: string | null;
  readonly query: Query | null;
  readonly cte: Cte | null;
  /** NEW, OLD, and excluded: their columns have to be qualified. */
  readonly isQualified: boolean;
}

/** A common table expression. */
export interface Cte {
  readonly name: string;
  readonly at: SqlToken;
  /** Columns listed after the name; null if the query names them. */
  readonly columns: readonly string[] | null;
  readonly query: Query;
}

export type ResultItem =
  | { readonly kind: 'column'; readonly name: string; readonly at: SqlToken }
  /** `*`, or `name.*`. */
  | { readonly kind: 'all'; readonly of: string | null };

export interface Clause {
  /** The keyword that begins it, or `columns` for the list behind INTO and ON. */
  readonly word: string;
  readonly from: number;
}

export interface Block {
  readonly from: number;
  /** Positions up to this one belong to it, unless to a block inside it. */
  to: number;
  /** Blocks whose sources are visible here too, when this one is a correlated subquery. */
  readonly parent: Block | null;
  /** Common table expressions that FROM can name besides tables. */
  readonly ctes: readonly Cte[];
  readonly sources: Source[];
  readonly clauses: Clause[];
  readonly items: ResultItem[];
}

/** SELECTs that UNION, INTERSECT, or EXCEPT combine; the first one names the columns. */
export interface Query {
  readonly blocks: Block[];
}

/** The innermost block at a position; null outside of all. */
export function blockAt(blocks: readonly Block[], position: number): Block | null {
  let found: Block | null = null;
  // Later blocks are inside of earlier ones, or behind them.
  for (const block of blocks) if (block.from <= position && position <= block.to) found = block;
  return found;
}

/** The clause of the block at a position; '' before the first one. */
export function clauseAt(block: Block, position: number): string {
  let found = '';
  for (const { word, from } of block.clauses) if (from < position) found = word;
  return found;
}

/** Innermost first, each with its distance: 0 for the block itself. */
export function visibleSources(block: Block | null): readonly { readonly source: Source; readonly level: number }[] {
  const visible: { source: Source; level: number }[] = [];
  let level = 0;
  for (let at = block; at; at = at.parent) {
    for (const source of at.sources) visible.push({ source, level });
    level++;
  }
  return visible;
}
