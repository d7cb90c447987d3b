// For tests of completion: a schema, and what is offered at a place in a text of SQL.
import { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import type { AddedNames } from '#shared/extensions.ts';
import { completionAt } from './completion.ts';
import type { SchemaTable } from './scope/names.ts';
import { sqliteDialect } from './sql-dialect.ts';

const table = (name: string, columns: string[], more: Partial<SchemaTable> = {}): SchemaTable => ({
  table: name,
  columns,
  types: columns.map(() => ''),
  primaryKey: columns.slice(0, 1),
  references: [],
  ...more,
});

export const SCHEMA: readonly SchemaTable[] = [
  table('Album', ['AlbumId', 'Title', 'ArtistId'], {
    types: ['INTEGER', 'TEXT', 'INTEGER'],
    references: [{ columns: ['ArtistId'], target: 'Artist', targetColumns: ['ArtistId'] }],
  }),
  table('Artist', ['ArtistId', 'Name']),
  table('Track', ['TrackId', 'Name', 'AlbumId', 'Unit Price', 'order'], {
    references: [{ columns: ['AlbumId'], target: 'Album', targetColumns: ['AlbumId'] }],
  }),
  table('pair', ['a', 'b', 'parent_a', 'parent_b'], {
    references: [{ columns: ['parent_a', 'parent_b'], target: 'pair', targetColumns: ['a', 'b'] }],
  }),
  table('odd name', ['id', 'say "hi"']),
];

/** The same, with a file attached as `prices` that has a table of the same name as an own one. */
export const WITH_ATTACHED: readonly SchemaTable[] = [
  ...SCHEMA,
  table('price', ['item', 'amount'], { schema: 'prices' }),
  table('Artist', ['ArtistId', 'Fee'], { schema: 'prices' }),
];

/** Returns what is offered at `|`. */
export function complete(textWithCursor: string, explicit = true, schema = SCHEMA, added?: AddedNames) {
  const cursor = textWithCursor.indexOf('|');
  const doc = textWithCursor.replace('|', '');
  const state = EditorState.create({ doc, extensions: sqliteDialect.extension });
  ensureSyntaxTree(state, doc.length, 60_000);
  const result = completionAt(new CompletionContext(state, cursor, explicit), schema, added);
  const options = result?.options ?? [];
  const ofType = (type: string): string[] =>
    options.filter((option) => option.type === type).map(({ label, displayLabel }) => displayLabel ?? label);
  return {
    result,
    from: result?.from,
    columns: ofType('property'),
    tables: ofType('class'),
    aliases: ofType('variable'),
    keywords: ofType('keyword'),
    conditions: ofType('text'),
    functions: ofType('function'),
    options,
  };
}
