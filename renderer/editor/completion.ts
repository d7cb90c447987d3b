// Completion: what can be named at the cursor. Tables where a table must follow, columns of what the statement reads, whole join conditions, PRAGMAs.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { pickedCompletion, snippetCompletion } from '@codemirror/autocomplete';
import type { NamedColumn, SchemaColumns, SchemaTable, StatementNames } from './scope/names.ts';
import type { RelatedTable } from './scope/join-conditions.ts';
import { FUNCTIONS, TABLE_FUNCTIONS } from './sql-functions.ts';
import type { SqlFunction } from './sql-functions.ts';
import { quoteName } from '#shared/ddl/names.ts';
import type { AddedNames } from '#shared/extensions.ts';
import { KEYWORDS, nameOf, sqlName, TYPES } from './sql-keywords.ts';
import type { EditorHost } from './editor-host.ts';
import { TABLE_FOLLOWS } from './scope/clause-keywords.ts';
import type { SqlToken } from './scope/statement-tokens.ts';
import { PRAGMAS } from './sql-pragmas.ts';
import { joinConditions, relatedTables } from './scope/join-conditions.ts';
import {
  columnsInScope,
  columnsOf,
  findTable,
  isAttached,
  namesAt,
  ownTables,
  SCHEMA_NAMES,
  sourceNamed,
  tablesIn,
  unknownQualifiers,
} from './scope/names.ts';
import { blockAt, clauseAt, visibleSources } from './scope/query-blocks.ts';
import type { Block } from './scope/query-blocks.ts';

const words: readonly Completion[] = [
  ...KEYWORDS.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'keyword', boost: -2 })),
  ...TYPES.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'type', boost: -4 })),
];
const lowerWords = words.map((word) => ({ ...word, label: word.label.toLowerCase() }));
const functions = FUNCTIONS.map((each) => functionOption(each, -3));

/** The entries of the completion list: how each looks, ranks, and what picking it inserts. */
const tableFunctionOptions: readonly Completion[] = TABLE_FUNCTIONS.map((each) => functionOption(each, 0));

/** Keywords, types, and functions; in the case of what is typed. */
function wordOptions(typed: string, added: AddedNames): readonly Completion[] {
  return [...(/^[a-z]/.test(typed) ? lowerWords : words), ...functions, ...addedFunctionOptions(added)];
}

const OF_EXTENSION = 'from an extension';
const NOTHING_ADDED: AddedNames = { functions: [], tables: [] };
const byCount = new Intl.ListFormat('en', { type: 'disjunction' });

/** SQLite knows how many arguments a function of an extension takes, and not what they are. */
function addedFunctionOptions({ functions: added }: AddedNames): readonly Completion[] {
  return added.map(({ name, argumentCounts }) => {
    const counts = argumentCounts.includes(-1) ? 'any number of' : byCount.format(argumentCounts.map(String));
    const text = `function ${OF_EXTENSION}, takes ${counts} argument${counts === '1' ? '' : 's'}`;
    const args = argumentCounts.every((count) => count === 0) ? '' : '…';
    return functionOption({ name, args, text }, -3);
  });
}

const addedTableOptions = ({ tables }: AddedNames): readonly Completion[] =>
  tables.map(({ name, columns, parameters }) => {
    const text = `table-valued function ${OF_EXTENSION}, with the columns ${columns.join(', ')}`;
    return functionOption({ name, args: parameters.join(', '), text }, 0);
  });

function functionOption({ name, args, text }: SqlFunction, boost: number): Completion {
  const template = args === '' ? `${name}()` : `${name}(\${})`;
  return snippetCompletion(template, { label: name, type: 'function', detail: `(${args})`, info: text, boost });
}

/** @param qualifier shown beside it; written before it if the name alone is ambiguous */
function columnOption(column: NamedColumn, qualifier: string, isAmbiguous = false): Completion {
  const { name } = column;
  const detail = [qualifier, typeOf(column)].filter((part) => part !== '').join(' · ');
  if (!isAmbiguous) return option(name, 'property', detail, 2);
  const whole = `${sqlName(qualifier)}.${sqlName(name)}`;
  return { label: name, displayLabel: whole, type: 'property', detail: typeOf(column), boost: 2, apply: whole };
}

function typeOf({ name, table }: NamedColumn): string {
  return table?.types[table.columns.indexOf(name)] ?? '';
}

const tableOption = (name: string, detail: string, boost: number): Completion => option(name, 'class', detail, boost);

/** A table of an attached file is named with the name of the file. */
function schemaTableOption({ schema, table }: SchemaTable, boost: number): Completion {
  if (schema === undefined) return tableOption(table, 'table', boost);
  const name = `${schema}.${table}`;
  return { ...tableOption(name, 'table', boost - 1), apply: `${sqlName(schema)}.${sqlName(table)}` };
}

const aliasOption = (name: string, detail: string): Completion => option(name, 'variable', detail, 1);

const conditionOption = (condition: string): Completion => ({
  label: condition,
  type: 'text',
  detail: 'foreign key',
  boost: 20,
  apply: condition,
});

function relatedOption({ table, alias, condition }: RelatedTable): Completion {
  const rest = `${alias === null ? '' : ` ${sqlName(alias)}`} ON ${condition}`;
  return { label: table + rest, type: 'class', detail: 'foreign key', boost: 5, apply: sqlName(table) + rest };
}

function option(name: string, type: string, detail: string, boost: number): Completion {
  return { label: name, type, detail, boost, apply: sqlName(name) };
}

/** The option inside quotes that are already typed: it replaces the whole quoted name. */
function inQuotes({ label, ...rest }: Completion): Completion {
  const quoted = quoteName(label);
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

const names: readonly Completion[] = PRAGMAS.map(({ name, text }) => ({ label: name, type: 'function', info: text }));

/** @param before the tokens of the statement before the cursor. @returns null outside of a PRAGMA statement */
function pragmaOptions(before: readonly SqlToken[], schema: SchemaColumns): readonly Completion[] | null {
  if (before[0]?.word !== 'pragma') return null;
  const at = before[2]?.word === '.' ? 3 : 1;
  const name = before[at];
  if (!name) return names;
  const sign = before[at + 1]?.word;
  if (before.length !== at + 2 || (sign !== '=' && sign !== '(')) return [];
  const values = PRAGMAS.find((pragma) => pragma.name === name.word)?.values ?? [];
  if (values === 'table') return ownTables(schema).map(({ table }) => tableOption(table, 'table', 0));
  if (typeof values === 'string') return [];
  return values.map((label) => ({ label, type: 'keyword' }));
}

const WORD = /[\w$\u0080-\uffff]*$/;
const QUALIFIER = /([\w$\u0080-\uffff]+|"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\])\s*\.\s*(["`[]?)([\w$\u0080-\uffff]*)$/;
/** A list without a first letter opens after this, if foreign keys say what can follow. */
const JOINING = /\b(?:join|on)\s+$/i;
const NO_COMPLETION_IN = new Set(['String', 'LineComment', 'BlockComment', 'Number', 'Bits', 'Bytes']);
const STILL_A_WORD = /^[\w$\u0080-\uffff]*$/;

/** A list without the newest names is better than none while the engine is busy. */
const TIMEOUT_MS = 300;

/** @param schema asked at each completion, so that a change of the schema needs no new editor */
export function sqlCompletionSource(schema: Pick<EditorHost, 'columns' | 'columnsBeingRead' | 'added'>) {
  return (context: CompletionContext): CompletionResult | null | Promise<CompletionResult | null> => {
    const reading = schema.columnsBeingRead();
    const complete = (): CompletionResult | null => completionAt(context, schema.columns(), schema.added());
    if (!reading) return complete();
    const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
    return Promise.race([reading, timeout]).then(complete);
  };
}

export function completionAt(
  context: CompletionContext,
  columns: SchemaColumns,
  added: AddedNames = NOTHING_ADDED,
): CompletionResult | null {
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  if (NO_COMPLETION_IN.has(node.name)) return null;
  const isQuoted = node.name === 'QuotedIdentifier';
  const word = isQuoted
    ? { from: node.from, text: context.state.sliceDoc(node.from, context.pos) }
    : context.matchBefore(WORD);
  const qualified = context.matchBefore(QUALIFIER);
  if (!word) return null;
  const isAsked = word.text !== '' || context.explicit || qualified !== null;
  if (!isAsked && !context.matchBefore(JOINING)) return null;
  const at = new NamePosition(namesAt(context.state.doc.toString(), word.from), word.from, columns, isQuoted);
  if (!isAsked && !at.followsKeys) return null;
  const pragma = pragmaOptions(at.before, at.schema);
  if (pragma) return { from: word.from, options: pragma, validFor: STILL_A_WORD };
  if (qualified) return completeQualified(at, context.pos, qualified.text);
  const names = at.expectsTable ? at.tables(addedTableOptions(added)) : at.names();
  if (isQuoted) return { from: word.from, to: node.to, options: names.map(inQuotes), filter: true };
  const words = at.expectsTable || at.isColumnList ? [] : wordOptions(word.text, added);
  return { from: word.from, options: [...names, ...words], validFor: STILL_A_WORD };
}

function completeQualified(at: NamePosition, position: number, text: string): CompletionResult | null {
  const [, qualifier = '', opening = '', typed = ''] = QUALIFIER.exec(text) ?? [];
  const name = nameOf(qualifier);
  const result = (options: readonly Completion[]): CompletionResult => ({
    from: position - typed.length - opening.length,
    options,
    validFor: /^["`[]?[\w$\u0080-\uffff]*$/,
  });
  const source = sourceNamed(at.statement, name, at.position);
  const isSchema = SCHEMA_NAMES.has(name.toLowerCase()) || isAttached(at.schema, name);
  // In FROM, what is typed before the dot looks like a table of that name.
  if (isSchema && (source === null || (!source.hasAlias && columnsOf(source, at.schema).length === 0)))
    return result(tablesIn(at.schema, name).map(({ table }) => tableOption(table, 'table', 2)));
  if (source)
    return result(columnsOf(source, at.schema).map((column) => columnOption(column, source.table ?? source.name)));
  const table = findTable(at.schema, name);
  return table ? result(table.columns.map((column) => columnOption({ name: column, table }, table.table))) : null;
}

/** The position of a completion, and what the statement says about it. */
class NamePosition {
  readonly statement: StatementNames;
  readonly position: number;
  readonly schema: SchemaColumns;
  /** Tables that can be named at the place: a name in quotes is only one name. */
  readonly #tables: SchemaColumns;
  /** The tokens before the word that is being typed. */
  readonly before: StatementNames['tokens'];
  readonly #block: Block | null;
  readonly #clause: string;

  constructor(names: StatementNames, position: number, schema: SchemaColumns, isQuoted: boolean) {
    this.statement = names;
    this.position = position;
    this.schema = schema;
    this.#tables = isQuoted ? ownTables(schema) : schema;
    this.before = names.tokens.filter(({ to }) => to <= position);
    this.#block = blockAt(names.blocks, position);
    this.#clause = this.#block ? clauseAt(this.#block, position) : '';
  }

  get #previous(): string {
    return this.before.at(-1)?.word ?? '';
  }

  get expectsTable(): boolean {
    const previous = this.#previous;
    if (this.before.at(-2)?.word === 'distinct' && previous === 'from') return false;
    if (TABLE_FOLLOWS.has(previous)) return true;
    if (previous === 'on') return this.#clause === 'into';
    return this.#clause === 'from' && (previous === ',' || previous === '(');
  }

  /** The list behind INSERT INTO or ON CONFLICT, or the left side of an assignment. */
  get isColumnList(): boolean {
    if (this.#clause === 'columns') return true;
    return this.#clause === 'set' && (this.#previous === 'set' || this.#previous === ',');
  }

  /** Whether a foreign key says what can be joined here, or on which condition. */
  get followsKeys(): boolean {
    return this.#related().length + this.#conditions().length > 0;
  }

  /** @param added table-valued functions of extensions */
  tables(added: readonly Completion[]): readonly Completion[] {
    const isRead = this.#previous === 'from' || this.#previous === 'join' || this.#previous === ',';
    const related = this.#related();
    const isRelated = new Set(related.map(({ table }) => table));
    return [
      ...related.map(relatedOption),
      ...(this.#block?.ctes ?? []).map(({ name }) => tableOption(name, 'WITH', 3)),
      ...this.#tables.map((table) => schemaTableOption(table, isRelated.has(table.table) ? 4 : 2)),
      ...(isRead ? [...tableFunctionOptions, ...added] : []),
    ];
  }

  names(): readonly Completion[] {
    if (this.isColumnList) return this.#listColumns();
    const columns = columnsInScope(this.statement, this.schema, this.position);
    return [
      ...this.#conditions(),
      ...columns.map((column) => columnOption(column, column.source.name, column.isAmbiguous)),
      ...this.#resultNames(new Set(columns.map(({ name }) => name.toLowerCase()))),
      ...this.#tables.map((table) => schemaTableOption(table, 0)),
      ...visibleSources(this.#block)
        .filter(({ source }) => (source.hasAlias || source.isQualified || source.cte) && source.name !== '')
        .map(({ source }) => aliasOption(source.name, source.table ?? 'subquery')),
    ];
  }

  /** The columns of the table that is written, without those the list already has. */
  #listColumns(): readonly Completion[] {
    const target = this.#block?.sources[0];
    if (!target) return [];
    const listed = new Set(this.#listed());
    return columnsOf(target, this.schema)
      .filter(({ name }) => !listed.has(name.toLowerCase()))
      .map((column) => columnOption(column, target.name));
  }

  #listed(): readonly string[] {
    const from = this.#block!.clauses.filter((clause) => clause.from < this.position).at(-1)!.from;
    const names = this.statement.tokens.filter(
      (token) => token.from >= from && token.to <= this.position && token.name !== '',
    );
    return this.#clause === 'columns' ? names.map(({ name }) => name.toLowerCase()) : [];
  }

  /** After JOIN: tables that a foreign key connects with those before it. */
  #related() {
    if (this.#previous !== 'join') return [];
    const others = this.#block?.sources.filter(({ at }) => at.from < this.position) ?? [];
    return relatedTables(others, ownTables(this.schema), unknownQualifiers(this.statement, this.schema));
  }

  /** After ON: what foreign keys say about the table that was just joined. */
  #conditions(): readonly Completion[] {
    if (this.#previous !== 'on' || !this.#block) return [];
    const sources = this.#block.sources.filter(({ at }) => at.to <= this.position);
    const joined = sources.at(-1);
    if (!joined) return [];
    return joinConditions(joined, sources.slice(0, -1), this.schema).map(conditionOption);
  }

  /** Names of result columns, where SQLite lets them be used. */
  #resultNames(known: ReadonlySet<string>): readonly Completion[] {
    if (!this.#block || !['order', 'group', 'having'].includes(this.#clause)) return [];
    return this.#block.items.flatMap((item) =>
      item.kind === 'column' && !known.has(item.name.toLowerCase()) ? [aliasOption(item.name, 'result column')] : [],
    );
  }
}
