// Reads and edits CREATE VIRTUAL TABLE … USING fts5 statements (sqlite.org/fts5.html).
import { unquote } from '../sql-scanner.ts';
import { addArgument, dropArgument, moveArgument, nameIn, parseVirtual, setArgument } from './edit-virtual.ts';
import { writeName } from './names.ts';
import type { VirtualTableModel } from './object-models.ts';

interface FullTextColumn {
  readonly name: string;
  readonly unindexed: boolean;
  /** Index of its argument in the statement. */
  readonly index: number;
}

const FULL_TEXT_OPTIONS = [
  'tokenize',
  'prefix',
  'content',
  'content_rowid',
  'detail',
  'columnsize',
  'contentless_delete',
] as const;
export type FullTextOption = (typeof FULL_TEXT_OPTIONS)[number];

export interface FullTextModel {
  readonly statement: VirtualTableModel;
  readonly columns: readonly FullTextColumn[];
  /** Values without quotes, of options that are written. */
  readonly options: Readonly<Partial<Record<string, string>>>;
  /** Location of the text: in the table itself, nowhere, or in another table or view. */
  readonly content:
    | { readonly kind: 'own' }
    | { readonly kind: 'none' }
    | { readonly kind: 'external'; readonly table: string; readonly rowid: string };
}

/** Null for a table of another module. */
export function fullTextOf(statement: VirtualTableModel): FullTextModel | null {
  if (statement.module.name.toLowerCase() !== 'fts5') return null;
  const columns: FullTextColumn[] = [];
  const options: Partial<Record<string, string>> = {};
  statement.arguments.forEach(({ column, option, part }, index) => {
    if (option !== null) options[option.name.toLowerCase()] = option.value;
    else if (column !== null)
      columns.push({ name: column, unindexed: /\bUNINDEXED\b/i.test(nameIn(part.sql)?.rest ?? ''), index });
  });
  return { statement, columns, options, content: contentOf(options) };
}

function contentOf(options: FullTextModel['options']): FullTextModel['content'] {
  const table = options['content'];
  if (table === undefined) return { kind: 'own' };
  return table === '' ? { kind: 'none' } : { kind: 'external', table, rowid: options['content_rowid'] ?? 'rowid' };
}

export function addFullTextColumn({ statement, columns }: FullTextModel, name: string): string {
  return addArgument(statement, columns.length === 0 ? 0 : columns.at(-1)!.index + 1, writeName(name));
}

export function dropFullTextColumn({ statement, columns }: FullTextModel, at: number): string {
  return dropArgument(statement, columns[at]!.index);
}

export function moveFullTextColumn({ statement, columns }: FullTextModel, from: number, to: number): string {
  return moveArgument(statement, columns[from]!.index, columns[to]!.index);
}

export function setUnindexed({ statement, columns }: FullTextModel, at: number, isUnindexed: boolean): string {
  const { index, unindexed } = columns[at]!;
  if (unindexed === isUnindexed) return statement.text;
  const { name } = nameIn(statement.arguments[index]!.part.sql)!;
  return setArgument(statement, index, isUnindexed ? `${name} UNINDEXED` : name);
}

/** @param value without quotes; null removes the option */
export function setFullTextOption(model: FullTextModel, option: FullTextOption, value: string | null): string {
  const { statement, options } = model;
  if ((options[option] ?? null) === value) return statement.text;
  const index = statement.arguments.findIndex(({ option: own }) => own?.name.toLowerCase() === option);
  if (value === null) return dropArgument(statement, index);
  const written = /^\w+$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
  if (index < 0) return addArgument(statement, statement.arguments.length, `${option}=${written}`);
  const { sql } = statement.arguments[index]!.part;
  const equals = /^[^=]*=\s*/.exec(sql)![0];
  return setArgument(statement, index, equals + written);
}

/** @param content another table or view, with the column of its row ids; empty: none */
export function setFullTextContent(model: FullTextModel, content: FullTextModel['content']): string {
  const wanted: Readonly<Record<'content' | 'content_rowid' | 'contentless_delete', string | null>> = {
    content: content.kind === 'own' ? null : content.kind === 'none' ? '' : content.table,
    content_rowid: content.kind === 'external' && content.rowid !== 'rowid' ? content.rowid : null,
    contentless_delete: content.kind === 'none' ? (model.options['contentless_delete'] ?? null) : null,
  };
  let text = model.statement.text;
  for (const option of ['content', 'content_rowid', 'contentless_delete'] as const) {
    const now = fullTextOf(parseVirtual(text))!;
    text = setFullTextOption(now, option, wanted[option]);
  }
  return text;
}

export interface Tokenizer {
  /** `porter` goes before another tokenizer and reduces words to their stems. */
  readonly stems: boolean;
  readonly name: string;
  /** Options in the order in which they are written. */
  readonly options: readonly (readonly [string, string])[];
}

/** Tokenizer set by the option; `unicode61` if there is none. */
export function readTokenizer(value: string | undefined): Tokenizer {
  const words = [...(value ?? '').matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s'"]+/g)].map(([word]) =>
    /^['"]/.test(word) ? unquote(word) : word,
  );
  const stems = words[0]?.toLowerCase() === 'porter';
  const [name = 'unicode61', ...rest] = stems ? words.slice(1) : words;
  const options = rest.flatMap((key, at) => (at % 2 === 0 ? [[key.toLowerCase(), rest[at + 1] ?? ''] as const] : []));
  return { stems, name: name.toLowerCase(), options };
}

/** Null where it is what SQLite does anyway. */
export function writeTokenizer({ stems, name, options }: Tokenizer): string | null {
  const value = (text: string): string => (/^\w+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`);
  const words = [...(stems ? ['porter'] : []), name, ...options.flatMap(([key, text]) => [key, value(text)])];
  const written = words.join(' ');
  if (written === 'unicode61') return null;
  return written === 'porter unicode61' ? 'porter' : written;
}

/** Triggers on the table with the text, which keep the index in step with it (sqlite.org/fts5.html#external_content_tables). */
export function syncTriggers({ statement, columns, content }: FullTextModel): string | null {
  if (content.kind !== 'external') return null;
  const [index, table, rowid] = [statement.name.name, content.table, content.rowid].map(writeName) as [
    string,
    string,
    string,
  ];
  const names = columns.map(({ name }) => writeName(name));
  const of = (row: 'new' | 'old'): string => [rowid, ...names].map((name) => `${row}.${name}`).join(', ');
  const add = `  INSERT INTO ${index} (${['rowid', ...names].join(', ')}) VALUES (${of('new')});`;
  const remove = `  INSERT INTO ${index} (${[index, 'rowid', ...names].join(', ')}) VALUES ('delete', ${of('old')});`;
  const trigger = (event: string, ...body: readonly string[]): string =>
    `CREATE TRIGGER ${writeName(`${statement.name.name}_after_${event.toLowerCase()}`)} AFTER ${event} ON ${table} BEGIN\n${body.join('\n')}\nEND;`;
  return [trigger('INSERT', add), trigger('DELETE', remove), trigger('UPDATE', remove, add)].join('\n\n');
}
