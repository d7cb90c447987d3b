import { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { sqlCompletionSource } from './completion.ts';
import { sqliteDialect } from './sql-dialect.ts';

const SCHEMA = [
  { table: 'Album', columns: ['AlbumId', 'Title', 'ArtistId'] },
  { table: 'Track', columns: ['TrackId', 'Name', 'AlbumId', 'Unit Price', 'order'] },
  { table: 'odd name', columns: ['id', 'say "hi"'] },
];

/** What is offered where `|` stands; `applied` is what picking `label` would insert. */
async function complete(textWithCursor: string, explicit = true) {
  const cursor = textWithCursor.indexOf('|');
  const doc = textWithCursor.replace('|', '');
  const state = EditorState.create({ doc, extensions: sqliteDialect.extension });
  ensureSyntaxTree(state, doc.length);
  const result = await sqlCompletionSource(() => SCHEMA)(new CompletionContext(state, cursor, explicit));
  const options = result?.options ?? [];
  const ofType = (type: string): string[] => options.filter((option) => option.type === type).map(({ label }) => label);
  return {
    result,
    from: result?.from,
    columns: ofType('property'),
    tables: ofType('class'),
    aliases: ofType('variable'),
    keywords: ofType('keyword'),
    options,
  };
}

describe('completion', () => {
  it('offers only the columns of the table an alias stands for', async () => {
    const { columns, tables, keywords } = await complete('SELECT t.| FROM Track t JOIN Album AS a');
    expect(columns).toEqual(SCHEMA[1]!.columns);
    expect([...tables, ...keywords]).toEqual([]);
    expect((await complete('SELECT a.Ti| FROM Track t JOIN Album AS a')).columns).toEqual(SCHEMA[0]!.columns);
  });

  it('knows aliases and tables whatever their case, with a schema name and behind a comma', async () => {
    expect((await complete('SELECT T.| FROM main.track t')).columns).toContain('Name');
    expect((await complete('SELECT a.| FROM Track t, Album a WHERE 1')).columns).toContain('Title');
    expect((await complete('SELECT album.| FROM Album')).columns).toContain('Title');
  });

  it('reads only the statement at the cursor', async () => {
    expect((await complete('SELECT * FROM Album a; SELECT a.| FROM Track a;')).columns).toContain('Name');
    expect((await complete('SELECT * FROM Album; SELECT | FROM Track')).columns).not.toContain('Title');
  });

  it('offers columns of all tables of the statement, each once, and the aliases', async () => {
    const { columns, aliases } = await complete('SELECT | FROM Track t JOIN Album a ON a.AlbumId = t.AlbumId');
    expect(columns.filter((name) => name === 'AlbumId')).toHaveLength(1);
    expect(columns).toEqual(expect.arrayContaining(['Name', 'Title']));
    expect(aliases).toEqual(['t', 'a']);
  });

  it('offers columns behind the end of what is typed so far', async () => {
    expect((await complete('SELECT * FROM Track WHERE |')).columns).toContain('Name');
    expect((await complete('UPDATE Track SET |')).columns).toContain('Name');
  });

  it('offers tables and nothing else where a table must follow', async () => {
    const { tables, columns, keywords } = await complete('SELECT * FROM |');
    expect(tables).toEqual(['Album', 'Track', 'odd name']);
    expect([...columns, ...keywords]).toEqual([]);
  });

  it('quotes names that are no plain words, and keywords', async () => {
    const { options } = await complete('SELECT t.| FROM Track t');
    const applied = (label: string) => options.find((option) => option.label === label)?.apply;
    expect(applied('Name')).toBe('Name');
    expect(applied('Unit Price')).toBe('"Unit Price"');
    expect(applied('order')).toBe('"order"');
    const odd = await complete('SELECT o.| FROM "odd name" o');
    expect(odd.options.find(({ label }) => label === 'say "hi"')?.apply).toBe('"say ""hi"""');
  });

  it('replaces the whole quoted word', async () => {
    const { from, options } = await complete('SELECT "Un|" FROM Track');
    expect(from).toBe('SELECT '.length);
    expect(options.map(({ label }) => label)).toContain('"Unit Price"');
  });

  it('follows the case of what is typed for keywords', async () => {
    expect((await complete('sel|')).keywords).toContain('select');
    expect((await complete('SEL|')).keywords).toContain('SELECT');
  });

  it('says nothing inside strings, comments and numbers, nor before a word when not asked', async () => {
    for (const text of ["SELECT 'fr| '", '-- fro|', '/* fr| */', 'SELECT 12|'])
      expect((await complete(text)).result).toBeNull();
    expect((await complete('SELECT |', false)).result).toBeNull();
  });
});
