// Which tables a statement talks about, and under which names: read from the token tree, so that half-typed SQL works too.
import type { syntaxTree } from '@codemirror/language';
import type { Text } from '@codemirror/state';
import { nameOf } from './sql-words.ts';

export type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

export interface TableInScope {
  readonly table: string;
  /** The name its columns are qualified with: the alias, or the table's own. */
  readonly alias: string;
}

interface Token {
  readonly kind: string;
  /** The keyword or sign in lower case, or the name an identifier stands for. */
  readonly text: string;
}

const TABLE_FOLLOWS = new Set(['from', 'join', 'into', 'update', 'table']);

/** The keyword that stands right before `node`, in lower case; '' when something else does. */
export function keywordBefore(doc: Text, position: number): string {
  const before = doc.sliceString(Math.max(0, position - 80), position);
  return /(?:^|[\s(;])([a-z_]+)\s+$/i.exec(before)?.[1]?.toLowerCase() ?? '';
}

export const tableIsExpectedAfter = (keyword: string): boolean => TABLE_FOLLOWS.has(keyword);

/** Every table named in `statement`, subqueries included: better one column too many than one too few. */
export function tablesInScope(doc: Text, statement: SyntaxNode): readonly TableInScope[] {
  const tokens = tokensOf(doc, statement);
  const found: TableInScope[] = [];
  let expectsTable = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'Keyword') expectsTable = TABLE_FOLLOWS.has(token.text);
    else if (expectsTable && token.kind === 'Name') {
      const aliasAt = tokens[i + 1]?.text === 'as' ? i + 2 : i + 1;
      const alias = tokens[aliasAt];
      const hasAlias = alias?.kind === 'Name';
      found.push({ table: token.text, alias: hasAlias ? alias.text : token.text });
      if (hasAlias) i = aliasAt;
      // `FROM a, b`: a comma keeps the list going, anything else ends it.
      expectsTable = tokens[i + 1]?.text === ',';
    }
  }
  return found;
}

function tokensOf(doc: Text, statement: SyntaxNode): readonly Token[] {
  const tokens: Token[] = [];
  statement.cursor().iterate((node) => {
    const text = (): string => doc.sliceString(node.from, node.to);
    if (node.name === 'CompositeIdentifier') {
      const last = node.node.lastChild;
      if (last) tokens.push({ kind: 'Name', text: nameOf(doc.sliceString(last.from, last.to)) });
      return false;
    }
    if (node.name === 'Keyword') tokens.push({ kind: 'Keyword', text: text().toLowerCase() });
    else if (node.name === 'Identifier' || node.name === 'QuotedIdentifier')
      tokens.push({ kind: 'Name', text: nameOf(text()) });
    else if (node.name === 'Punctuation') tokens.push({ kind: 'Sign', text: text() });
    return true;
  });
  return tokens;
}
