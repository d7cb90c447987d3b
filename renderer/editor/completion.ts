// Completion: columns of the tables in the statement (aliases included), tables, keywords and functions.
import { completeFromList, pickedCompletion, snippetCompletion } from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { keywordBefore, tableIsExpectedAfter, tablesInScope } from './completion-scope.ts';
import type { SyntaxNode, TableInScope } from './completion-scope.ts';
import { FUNCTIONS, KEYWORDS, nameOf, quotedName, sqlName, TYPES } from './sql-words.ts';

/** Tables and views with their columns. */
export type SchemaColumns = readonly { readonly table: string; readonly columns: readonly string[] }[];

const SCHEMA_NAMES = new Set(['main', 'temp']);
const WORD = /[\w$]*$/;
const QUALIFIER = /([\w$]+|"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\])\s*\.\s*["`[]?([\w$]*)$/;
const NO_COMPLETION_IN = new Set(['String', 'LineComment', 'BlockComment', 'Number', 'Bits', 'Bytes']);

const words: readonly Completion[] = [
  ...KEYWORDS.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'keyword', boost: -2 })),
  ...TYPES.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'type', boost: -4 })),
];
const lowerWords = words.map((word) => ({ ...word, label: word.label.toLowerCase() }));
const functions: readonly Completion[] = FUNCTIONS.split(' ').map((name) =>
  snippetCompletion(`${name}(\${})`, { label: name, type: 'function', detail: '()', boost: -3 }),
);
const upperCaseList = completeFromList([...words, ...functions]);
const lowerCaseList = completeFromList([...lowerWords, ...functions]);

/** @param columns asked at each completion, so that a change of the schema needs no new editor */
export function sqlCompletionSource(columns: () => SchemaColumns) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    if (NO_COMPLETION_IN.has(node.name)) return null;
    const schema = columns();
    const scope = scopeAt(context, node);
    const qualified = context.matchBefore(QUALIFIER);
    if (qualified) return completeQualified(context, qualified.text, schema, scope);

    const isQuoted = node.name === 'QuotedIdentifier';
    const word = isQuoted
      ? { from: node.from, text: context.state.sliceDoc(node.from, context.pos) }
      : context.matchBefore(WORD);
    if (!word || (word.text === '' && !context.explicit)) return null;
    const wantsTable = tableIsExpectedAfter(keywordBefore(context.state.doc, word.from));
    const names = [
      ...(wantsTable ? [] : columnOptions(scope, schema)),
      ...tableOptions(schema, wantsTable),
      ...aliasOptions(scope, schema),
    ];
    if (isQuoted) return { from: word.from, to: node.to, options: names.map(inQuotes), filter: true };
    const common = wantsTable ? null : await (/^[a-z]/.test(word.text) ? lowerCaseList : upperCaseList)(context);
    return { from: word.from, options: [...names, ...(common?.options ?? [])], validFor: /^[\w$]*$/ };
  };
}

function scopeAt(context: CompletionContext, node: SyntaxNode): readonly TableInScope[] {
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === 'Statement') return tablesInScope(context.state.doc, at);
  }
  // Behind the last token, the tree answers the whole script: the statement is the one that ended just before.
  const before = node.childBefore(context.pos);
  return before?.name === 'Statement' ? tablesInScope(context.state.doc, before) : [];
}

function completeQualified(
  context: CompletionContext,
  text: string,
  schema: SchemaColumns,
  scope: readonly TableInScope[],
): CompletionResult | null {
  const [, qualifier = '', typed = ''] = QUALIFIER.exec(text) ?? [];
  const name = nameOf(qualifier);
  const opensQuote = /["`[]$/.test(text.slice(0, text.length - typed.length));
  const from = context.pos - typed.length - (opensQuote ? 1 : 0);
  if (SCHEMA_NAMES.has(name.toLowerCase()))
    return { from, options: [...tableOptions(schema, true)], validFor: /^["`[]?[\w$]*$/ };
  const table = scope.find(({ alias }) => sameName(alias, name))?.table ?? name;
  const columns = findTable(schema, table)?.columns;
  if (!columns) return null;
  return { from, options: columns.map((column) => option(column, 'property', table, 2)), validFor: /^["`[]?[\w$]*$/ };
}

function columnOptions(scope: readonly TableInScope[], schema: SchemaColumns): readonly Completion[] {
  const seen = new Set<string>();
  return scope.flatMap(({ table, alias }) =>
    (findTable(schema, table)?.columns ?? []).flatMap((column) => {
      if (seen.has(column)) return [];
      seen.add(column);
      return [option(column, 'property', alias, 2)];
    }),
  );
}

const tableOptions = (schema: SchemaColumns, boosted: boolean): readonly Completion[] =>
  schema.map(({ table }) => option(table, 'class', 'table', boosted ? 2 : 0));

const aliasOptions = (scope: readonly TableInScope[], schema: SchemaColumns): readonly Completion[] =>
  scope
    .filter(({ table, alias }) => alias !== table && findTable(schema, table))
    .map(({ table, alias }) => option(alias, 'variable', table, 1));

function option(name: string, type: string, detail: string, boost: number): Completion {
  return { label: name, type, detail, boost, apply: sqlName(name) };
}

function inQuotes({ label, ...rest }: Completion): Completion {
  const quoted = quotedName(label);
  return {
    ...rest,
    label: quoted,
    displayLabel: label,
    apply: (view, completion, from, to) =>
      view.dispatch({
        changes: { from, to, insert: quoted },
        selection: { anchor: from + quoted.length },
        annotations: pickedCompletion.of(completion),
      }),
  };
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const findTable = (schema: SchemaColumns, name: string): SchemaColumns[number] | undefined =>
  schema.find(({ table }) => sameName(table, name));
