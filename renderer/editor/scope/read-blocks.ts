// Reads the blocks of a statement from its tokens. It never fails: what it does not understand it passes over.
import { sameName } from '#shared/ddl/names.ts';
import { Token } from '#shared/sql-scanner.ts';
import type { Block, Cte, Query, ResultItem, Source } from './query-blocks.ts';
import { BEGINS_QUERY, CLAUSES, COMBINES, NO_ALIAS, TABLE_FOLLOWS } from './clause-keywords.ts';
import { closesOf } from './statement-tokens.ts';
import type { SqlToken } from './statement-tokens.ts';

type Tokens = readonly SqlToken[];

const wordAt = (tokens: Tokens, index: number): string => tokens[index]?.word ?? '';

/** Tells what tokens mean by their position: names, keywords, the beginnings of clauses, result columns. */
function isName(token: SqlToken | undefined): boolean {
  return token?.kind === Token.word || token?.kind === Token.quoted;
}

/** Reserved words are keywords behind a dot too: what follows the dot is not typed yet. */
function isKeyword(tokens: Tokens, at: number): boolean {
  const { kind, word } = tokens[at]!;
  if (kind !== Token.word) return false;
  return wordAt(tokens, at - 1) !== '.' || (word !== 'offset' && word !== 'window');
}

function beginsClause(tokens: Tokens, at: number): boolean {
  const word = wordAt(tokens, at);
  if (!CLAUSES.has(word)) return false;
  // `IS DISTINCT FROM` begins nothing.
  return word !== 'from' || wordAt(tokens, at - 1) !== 'distinct' || !['is', 'not'].includes(wordAt(tokens, at - 2));
}

/** A SELECT that belongs to an INSERT ends where ON CONFLICT or RETURNING begin. */
function insertedEnd(tokens: Tokens, closes: readonly number[], from: number, end: number): number {
  for (let index = from; index < end; index++) {
    if (wordAt(tokens, index) === '(') index = closes[index]!;
    const word = wordAt(tokens, index);
    const isOfInsert = word === 'returning' || (word === 'on' && wordAt(tokens, index + 1) === 'conflict');
    if (isOfInsert || word === ';') return index;
  }
  return end;
}

/** The result column that these tokens are; null for an expression without a name. */
function resultItem(tokens: Tokens, from: number, to: number): ResultItem | null {
  const last = tokens[to - 1];
  if (to <= from || !last) return null;
  if (last.word === '*' && (to - from === 1 || wordAt(tokens, to - 2) === '.'))
    return { kind: 'all', of: to - from === 1 ? null : (tokens[to - 3]?.name ?? null) };
  if (isName(last) && last.word !== 'end') return { kind: 'column', name: last.name, at: last };
  return null;
}

const DEEPEST = 60;

/** @returns all blocks, outer ones before inner ones */
export function readBlocks(tokens: readonly SqlToken[]): readonly Block[] {
  return new BlockReader(tokens).read();
}

class BlockReader {
  readonly #tokens: readonly SqlToken[];
  /** The index of the closing parenthesis for that of an opening one; the number of tokens if there is none. */
  readonly #closes: readonly number[];
  readonly #blocks: Block[] = [];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
    this.#closes = closesOf(tokens);
  }

  read(): readonly Block[] {
    if (this.#word(0) === 'create') this.#readCreate();
    else this.#readQuery(this.#tokens.length, null, []);
    return this.#blocks;
  }

  #word(index: number): string {
    return this.#tokens[index]?.word ?? '';
  }

  /** Reads up to `end`, which is the index of the token that closes it. */
  #readQuery(end: number, parent: Block | null, outer: readonly Cte[]): Query {
    const query: Query = { blocks: [] };
    const ctes = [...outer];
    if (++this.#depth <= DEEPEST) {
      while (this.#at < end) {
        if (this.#word(this.#at) === 'with') this.#readCtes(end, ctes, parent);
        const before = this.#at;
        query.blocks.push(this.#readBlock(end, parent, ctes));
        if (COMBINES.has(this.#word(this.#at))) this.#at++;
        if (this.#at === before) this.#at++;
      }
    }
    this.#at = Math.max(this.#at, end);
    this.#depth--;
    return query;
  }

  #readCtes(end: number, ctes: Cte[], parent: Block | null): void {
    this.#at++;
    if (this.#word(this.#at) === 'recursive') this.#at++;
    while (this.#at < end && isName(this.#tokens[this.#at])) {
      const at = this.#tokens[this.#at++]!;
      const columns = this.#word(this.#at) === '(' ? this.#readNames() : null;
      while (this.#at < end && ['as', 'not', 'materialized'].includes(this.#word(this.#at))) this.#at++;
      if (this.#word(this.#at) !== '(') return;
      const close = this.#closes[this.#at++]!;
      const query: Query = { blocks: [] };
      const cte: Cte = { name: at.name, at, columns, query };
      // A recursive one names itself.
      query.blocks.push(...this.#readQuery(Math.min(close, end), parent, [...ctes, cte]).blocks);
      this.#at = close + 1;
      ctes.push(cte);
      if (this.#word(this.#at) !== ',') return;
      this.#at++;
    }
  }

  /** The names in the parentheses that begin here. */
  #readNames(): string[] {
    const close = this.#closes[this.#at]!;
    const names: string[] = [];
    for (let index = this.#at + 1; index < close; index++)
      if (isName(this.#tokens[index])) names.push(this.#tokens[index]!.name);
    this.#at = close + 1;
    return names;
  }

  #begin(parent: Block | null, ctes: readonly Cte[], end: number): Block {
    const from = this.#at > 0 && this.#at <= this.#tokens.length ? this.#tokens[this.#at - 1]!.to : 0;
    const to = this.#tokens[end]?.from ?? Number.POSITIVE_INFINITY;
    const block: Block = { from, to, parent, ctes, sources: [], clauses: [], items: [] };
    this.#blocks.push(block);
    return block;
  }

  #readBlock(end: number, parent: Block | null, ctes: readonly Cte[]): Block {
    const block = this.#begin(parent, ctes, end);
    let clause = '';
    let expectsTable = false;
    let itemFrom = -1;
    const endItem = (): void => {
      const item = itemFrom < 0 ? null : resultItem(this.#tokens, itemFrom, this.#at);
      if (item) block.items.push(item);
      itemFrom = -1;
    };
    const enter = (word: string): void => {
      endItem();
      clause = word;
      block.clauses.push({ word, from: this.#tokens[this.#at]!.to });
      expectsTable = TABLE_FOLLOWS.has(word);
      this.#at++;
      if (word === 'select' || word === 'returning') {
        if (['distinct', 'all'].includes(this.#word(this.#at))) this.#at++;
        itemFrom = this.#at;
      }
    };
    while (this.#at < end) {
      const { word } = this.#tokens[this.#at]!;
      const isWord = isKeyword(this.#tokens, this.#at);
      if (isWord && COMBINES.has(word) && clause !== '') {
        endItem();
        block.to = this.#tokens[this.#at]!.from;
        return block;
      }
      if (isWord && (word === 'select' || word === 'with') && clause !== '') {
        // INSERT … SELECT.
        endItem();
        this.#readInner(block, ctes, end);
        clause = 'select';
      } else if (isWord && beginsClause(this.#tokens, this.#at))
        enter(word === 'on' && this.#word(this.#at + 1) === 'conflict' ? 'conflict' : word);
      else if (expectsTable && word === 'or') this.#at += 2; // UPDATE OR IGNORE
      else if (expectsTable && this.#readSource(block, ctes, clause)) {
        expectsTable = false;
        if (clause === 'into' && this.#word(this.#at) === '(') this.#readColumnList(block);
      } else if (word === '(') this.#readParentheses(block, ctes, clause, expectsTable);
      else {
        if (word === ',' && itemFrom >= 0) {
          endItem();
          itemFrom = this.#at + 1;
        } else if (word === ',' && ['from', 'join', 'on', 'using'].includes(clause)) {
          expectsTable = true;
          clause = 'from';
          block.clauses.push({ word: 'from', from: this.#tokens[this.#at]!.to });
        }
        if (word === ';') return this.#endStatement(block, endItem);
        this.#at++;
      }
    }
    endItem();
    return block;
  }

  #endStatement(block: Block, endItem: () => void): Block {
    endItem();
    block.to = this.#tokens[this.#at]!.from;
    this.#at++;
    return block;
  }

  /** The SELECT of an INSERT. */
  #readInner(block: Block, ctes: readonly Cte[], end: number): void {
    this.#readQuery(insertedEnd(this.#tokens, this.#closes, this.#at, end), block.parent, ctes);
  }

  #readColumnList(block: Block): void {
    const close = this.#closes[this.#at]!;
    block.clauses.push({ word: 'columns', from: this.#tokens[this.#at]!.from });
    const closing = this.#tokens[close];
    if (closing) block.clauses.push({ word: 'after-columns', from: closing.from });
    this.#at = close + 1;
  }

  /** Subqueries inside, at any depth; everything else there belongs to the block. */
  #readParentheses(block: Block, ctes: readonly Cte[], clause: string, isInFrom: boolean): void {
    const close = this.#closes[this.#at]!;
    this.#at++;
    if (isInFrom && !BEGINS_QUERY.has(this.#word(this.#at))) return;
    const isList = clause === 'conflict' || clause === 'references';
    if (isList) block.clauses.push({ word: 'columns', from: this.#tokens[this.#at - 1]!.from });
    if (BEGINS_QUERY.has(this.#word(this.#at))) this.#readQuery(close, block, ctes);
    else
      while (this.#at < close && this.#at < this.#tokens.length) {
        if (this.#word(this.#at) === '(') this.#readParentheses(block, ctes, '', false);
        else this.#at++;
      }
    this.#at = Math.max(this.#at, Math.min(close, this.#tokens.length)) + 1;
    const closing = this.#tokens[close];
    if (isList && closing) block.clauses.push({ word: 'after-columns', from: closing.from });
  }

  /** False when no source begins here. */
  #readSource(block: Block, ctes: readonly Cte[], clause: string): boolean {
    const start = this.#tokens[this.#at]!;
    if (start.word === '(') {
      const close = this.#closes[this.#at]!;
      if (!BEGINS_QUERY.has(this.#word(this.#at + 1))) return false;
      this.#at++;
      // It does not see the other sources of this FROM, only those further out.
      const query = this.#readQuery(close, block.parent, ctes);
      this.#at = close + 1;
      block.sources.push({
        ...this.#alias(start, ''),
        table: null,
        schema: null,
        query,
        cte: null,
        isQualified: false,
      });
      return true;
    }
    if (!isName(start) || (start.kind === Token.word && ['or', 'if', 'exists', 'not'].includes(start.word)))
      return false;
    let last = start;
    this.#at++;
    while (this.#word(this.#at) === '.' && isName(this.#tokens[this.#at + 1])) {
      last = this.#tokens[this.#at + 1]!;
      this.#at += 2;
    }
    const isPlain = last === start;
    if (this.#word(this.#at) === '(' && clause !== 'into' && clause !== 'references')
      this.#readParentheses(block, ctes, '', false);
    const cte = isPlain ? (ctes.filter(({ name }) => sameName(name, last.name)).at(-1) ?? null) : null;
    block.sources.push({
      ...this.#alias(last, last.name),
      table: last.name,
      schema: isPlain ? null : start.name,
      query: cte?.query ?? null,
      cte,
      isQualified: false,
    });
    if (clause === 'into') block.sources.push(qualified('excluded', last));
    return true;
  }

  #alias(at: SqlToken, own: string): Pick<Source, 'name' | 'at' | 'hasAlias'> {
    const hasAs = this.#word(this.#at) === 'as';
    const index = hasAs ? this.#at + 1 : this.#at;
    const token = this.#tokens[index];
    const isAlias = isName(this.#tokens[index]) && (token!.kind === Token.quoted || !NO_ALIAS.has(token!.word));
    if (hasAs || isAlias) this.#at = isAlias ? index + 1 : index;
    return isAlias ? { name: token!.name, at: token!, hasAlias: true } : { name: own, at, hasAlias: false };
  }

  /** Views and tables have a query behind AS, indexes and triggers a table behind ON. */
  #readCreate(): void {
    const { length } = this.#tokens;
    const asAt = this.#tokens.findIndex(({ word }, index) => word === 'as' && BEGINS_QUERY.has(this.#word(index + 1)));
    const kind = ['view', 'table', 'trigger', 'index'].find((each) =>
      this.#tokens.slice(1, 4).some(({ word }) => word === each),
    );
    if ((kind === 'view' || kind === 'table') && asAt > 0) {
      this.#at = asAt + 1;
      this.#readQuery(length, null, []);
      return;
    }
    if (kind === 'trigger') return this.#readTrigger();
    const block = this.#begin(null, [], length);
    const onAt = this.#tokens.findIndex(({ word }) => word === 'on');
    if (kind !== 'index' || onAt < 0) return this.#readRest(block);
    this.#at = onAt + 1;
    block.clauses.push({ word: 'into', from: this.#tokens[onAt]!.to });
    if (this.#at >= length || !this.#readSource(block, [], 'into')) return;
    block.sources.splice(1);
    if (this.#word(this.#at) === '(') this.#readColumnList(block);
    this.#readRest(block);
  }

  #readRest(block: Block): void {
    for (; this.#at < this.#tokens.length; this.#at++) {
      const { word, to } = this.#tokens[this.#at]!;
      if (word === 'where' || word === 'references') block.clauses.push({ word, from: to });
    }
  }

  #readTrigger(): void {
    const { length } = this.#tokens;
    const outer = this.#begin(null, [], length);
    const onAt = this.#tokens.findIndex(({ word }) => word === 'on');
    const table = this.#tokens[onAt + 1];
    if (onAt < 0) return;
    outer.clauses.push({ word: 'into', from: this.#tokens[onAt]!.to });
    if (!table?.name) return;
    const header = this.#tokens.slice(0, onAt).map(({ word }) => word);
    if (!header.includes('delete')) outer.sources.push(qualified('new', table));
    if (!header.includes('insert')) outer.sources.push(qualified('old', table));
    const beginAt = this.#tokens.findIndex(({ word }, index) => index > onAt && word === 'begin');
    const whenAt = this.#tokens.findIndex(({ word }, index) => index > onAt && word === 'when');
    outer.clauses.push({ word: 'when', from: (this.#tokens[whenAt < 0 ? onAt + 1 : whenAt] ?? table).to });
    this.#at = beginAt < 0 ? length : beginAt + 1;
    while (this.#at < length && this.#word(this.#at) !== 'end') {
      const start = this.#at;
      this.#readBlock(length, outer, []);
      if (this.#at === start) this.#at++;
    }
  }
}

const qualified = (name: string, table: SqlToken): Source => ({
  name,
  at: table,
  hasAlias: false,
  table: table.name,
  schema: null,
  query: null,
  cte: null,
  isQualified: true,
});
