// Which tables and conditions of joins are offered, and how words are completed and quoted.
import { describe, expect, it } from 'vitest';
import { complete, SCHEMA, WITH_ATTACHED } from './completion-fixture.test-suite.ts';

describe('tables', () => {
  it('and nothing else are offered where a table must follow', () => {
    for (const text of [
      'SELECT * FROM |',
      'SELECT * FROM Album a, |',
      'INSERT INTO |',
      'UPDATE |',
      'ALTER TABLE |',
      'DELETE FROM |',
    ]) {
      const { tables, columns, keywords } = complete(text);
      expect({ text, tables, others: [...columns, ...keywords] }).toEqual({
        text,
        tables: SCHEMA.map((each) => each.table),
        others: [],
      });
    }
  });

  it('include CTEs of the statement and table functions', () => {
    const { tables, functions } = complete('WITH recent AS (SELECT 1) SELECT * FROM |');
    expect(tables[0]).toBe('recent');
    expect(functions).toContain('json_each');
    expect(complete('INSERT INTO |').functions).toEqual([]);
  });

  it('include table-valued functions of extensions, whose other functions are offered in expressions', () => {
    const added = {
      functions: [
        { name: 'vec_length', argumentCounts: [1] },
        { name: 'vec_slice', argumentCounts: [2, 3] },
      ],
      tables: [{ name: 'vec_each', columns: ['value'], parameters: ['vector'] }],
    };
    expect(complete('SELECT * FROM |', true, SCHEMA, added).functions).toContain('vec_each');
    expect(complete('INSERT INTO |', true, SCHEMA, added).functions).toEqual([]);
    const { options, functions } = complete('SELECT vec|', true, SCHEMA, added);
    expect(functions).toEqual(expect.arrayContaining(['vec_length', 'vec_slice']));
    expect(functions).not.toContain('vec_each');
    const infoOf = (name: string) => options.find(({ label }) => label === name)?.info;
    expect(infoOf('vec_length')).toContain('takes 1 argument');
    expect(infoOf('vec_slice')).toContain('2 or 3 arguments');
    expect(complete('SELECT vec|').functions).not.toContain('vec_length');
  });

  it('come with the whole condition behind JOIN, for foreign keys in both directions', () => {
    const { tables, options } = complete('SELECT * FROM Album a JOIN |');
    expect(tables.slice(0, 2)).toEqual([
      'Artist ON Artist.ArtistId = a.ArtistId',
      'Track ON a.AlbumId = Track.AlbumId',
    ]);
    expect(options[0]!.apply).toBe('Artist ON Artist.ArtistId = a.ArtistId');
  });

  it('are followed by their conditions behind ON', () => {
    const join = (text: string): string[] => complete(text).conditions;
    expect(join('SELECT * FROM Track t JOIN Album a ON |')).toEqual(['a.AlbumId = t.AlbumId']);
    expect(join('SELECT * FROM Artist JOIN Album ON |')).toEqual(['Artist.ArtistId = Album.ArtistId']);
    expect(join('SELECT * FROM Track t JOIN Album a ON a.AlbumId = t.AlbumId JOIN Artist r ON |')).toEqual([
      'r.ArtistId = a.ArtistId',
    ]);
    expect(join('SELECT * FROM pair p JOIN pair c ON |')).toEqual([
      'p.a = c.parent_a AND p.b = c.parent_b',
      'c.a = p.parent_a AND c.b = p.parent_b',
    ]);
    expect(join('SELECT * FROM Track t JOIN Artist a ON |')).toEqual([]);
  });

  it('give a table the alias that the statement uses already', () => {
    const joined = (text: string): string[] => complete(text).tables.filter((label) => label.includes(' ON '));
    expect(joined('SELECT t.Name, a.Title FROM Track t JOIN |')).toEqual(['Album a ON a.AlbumId = t.AlbumId']);
    expect(joined('SELECT a.Title, r.Name FROM Album a JOIN |')).toEqual([
      'Artist ON Artist.ArtistId = a.ArtistId',
      'Track ON a.AlbumId = Track.AlbumId',
    ]);
    expect(joined('SELECT main.Track.Name, Album.Title FROM Track t JOIN |')).toEqual([
      'Album ON Album.AlbumId = t.AlbumId',
    ]);
    const { options } = complete('SELECT "al x".Title FROM Track t JOIN |');
    expect(options[0]?.apply).toBe('Album "al x" ON "al x".AlbumId = t.AlbumId');
  });

  it('are offered without being asked for, if a foreign key says which', () => {
    const unasked = (text: string) => complete(text, false);
    expect(unasked('SELECT * FROM Track t JOIN |').tables).toContain('Album');
    expect(unasked('SELECT * FROM Track t JOIN Album a ON |').conditions).toEqual(['a.AlbumId = t.AlbumId']);
    for (const text of ['SELECT * FROM Track t JOIN Artist a ON |', 'SELECT * FROM "odd name" JOIN |'])
      expect(unasked(text).result).toBeNull();
    for (const text of ['SELECT |', 'SELECT * FROM |', 'CREATE INDEX i ON |']) expect(unasked(text).result).toBeNull();
  });
});

describe('words', () => {
  it('quotes names that are no plain words, and keywords', () => {
    const { options } = complete('SELECT t.| FROM Track t');
    const applied = (label: string) => options.find((option) => option.label === label)?.apply;
    expect(applied('Name')).toBe('Name');
    expect(applied('Unit Price')).toBe('"Unit Price"');
    expect(applied('order')).toBe('"order"');
    const odd = complete('SELECT o.| FROM "odd name" o');
    expect(odd.options.find(({ label }) => label === 'say "hi"')?.apply).toBe('"say ""hi"""');
  });

  it('replaces the whole quoted word', () => {
    const { from, options } = complete('SELECT "Un|" FROM Track');
    expect(from).toBe('SELECT '.length);
    expect(options.map(({ label }) => label)).toContain('"Unit Price"');
  });

  it('follows the case of what is typed for keywords', () => {
    expect(complete('sel|').keywords).toContain('select');
    expect(complete('SEL|').keywords).toContain('SELECT');
  });

  it('shows the arguments of functions', () => {
    const { options } = complete('SELECT subs|');
    expect(options.find(({ label }) => label === 'substr')).toMatchObject({ detail: '(X, start, length?)' });
  });

  it('completes PRAGMAs and their values', () => {
    expect(complete('PRAGMA fore|').functions).toContain('foreign_keys');
    expect(complete('PRAGMA main.|').functions).toContain('journal_mode');
    expect(complete('PRAGMA journal_mode = |').keywords).toEqual(expect.arrayContaining(['WAL', 'DELETE']));
    expect(complete('PRAGMA table_info(|)').tables).toContain('Album');
    expect(complete('PRAGMA foreign_keys |').options).toEqual([]);
  });

  it('names the tables of an attached file, and their columns, with its name', () => {
    const at = (text: string) => complete(text, true, WITH_ATTACHED);
    expect(at('SELECT * FROM |').tables).toEqual(expect.arrayContaining(['Artist', 'prices.price', 'prices.Artist']));
    const option = at('SELECT * FROM pri|').options.find(({ label }) => label === 'prices.price');
    expect(option?.apply).toBe('prices.price');
    expect(at('SELECT * FROM prices.|').tables).toEqual(['price', 'Artist']);
    expect(at('SELECT * FROM main.|').tables).not.toContain('price');
    expect(at('SELECT p.| FROM prices.price AS p').columns).toEqual(['item', 'amount']);
    expect(at('SELECT a.| FROM prices.Artist AS a').columns).toEqual(['ArtistId', 'Fee']);
    expect(at('SELECT a.| FROM Artist AS a').columns).toEqual(['ArtistId', 'Name']);
    expect(at('SELECT * FROM "pri|"').tables).not.toContain('prices.price');
    expect(at('SELECT * FROM Album JOIN |').tables.filter((name) => name.startsWith('Artist ON'))).toHaveLength(1);
    expect(at('PRAGMA table_info(|)').tables).not.toContain('price');
  });

  it('says nothing inside strings, comments and numbers, nor before a word when not asked', () => {
    for (const text of ["SELECT 'fr| '", '-- fro|', '/* fr| */', 'SELECT 12|'])
      expect(complete(text).result).toBeNull();
    expect(complete('SELECT |', false).result).toBeNull();
  });
});
