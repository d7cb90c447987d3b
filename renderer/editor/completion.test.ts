import { CompletionContext } from '@codemirror/autocomplete';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { sqlCompletionSource } from './completion.ts';
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

const SCHEMA: readonly SchemaTable[] = [
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

/** Returns what is offered at `|`. */
function complete(textWithCursor: string, explicit = true) {
  const cursor = textWithCursor.indexOf('|');
  const doc = textWithCursor.replace('|', '');
  const state = EditorState.create({ doc, extensions: sqliteDialect.extension });
  ensureSyntaxTree(state, doc.length);
  const result = sqlCompletionSource(() => SCHEMA)(new CompletionContext(state, cursor, explicit));
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

const columnsIn = (text: string): string[] => complete(text).columns;

describe('columns of one source', () => {
  it('are those of the table an alias stands for', () => {
    const { columns, tables, keywords } = complete('SELECT t.| FROM Track t JOIN Album AS a');
    expect(columns).toEqual(SCHEMA[2]!.columns);
    expect([...tables, ...keywords]).toEqual([]);
    expect(columnsIn('SELECT a.Ti| FROM Track t JOIN Album AS a')).toEqual(SCHEMA[0]!.columns);
  });

  it('are found whatever the case, with a schema name, behind a comma, in quotes, and for tables that are not read yet', () => {
    expect(columnsIn('SELECT T.| FROM main.track t')).toContain('Name');
    expect(columnsIn('SELECT a.| FROM Track t, Album a WHERE 1')).toContain('Title');
    expect(columnsIn('SELECT album.| FROM Album')).toContain('Title');
    expect(columnsIn('SELECT "o x".| FROM "odd name" AS "o x"')).toContain('id');
    expect(columnsIn('SELECT Album.|')).toContain('Title');
  });

  it('are those of a subquery or a CTE, with the names it gives them', () => {
    expect(columnsIn('SELECT s.| FROM (SELECT TrackId AS id, Name n, count(*) AS many FROM Track) s')).toEqual([
      'id',
      'n',
      'many',
    ]);
    expect(columnsIn('WITH c AS (SELECT AlbumId, Title FROM Album) SELECT c.| FROM c')).toEqual(['AlbumId', 'Title']);
    expect(columnsIn('WITH c(x, y) AS (SELECT AlbumId, Title FROM Album) SELECT q.| FROM c q')).toEqual(['x', 'y']);
    expect(columnsIn('WITH c AS (SELECT a.*, 1 AS one FROM Album a) SELECT c.| FROM c')).toEqual([
      'AlbumId',
      'Title',
      'ArtistId',
      'one',
    ]);
    expect(columnsIn('WITH a AS (SELECT TrackId FROM Track), b AS (SELECT * FROM a) SELECT b.| FROM b')).toEqual([
      'TrackId',
    ]);
  });

  it('of a recursive CTE are those of its first SELECT', () => {
    expect(
      columnsIn('WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT r.n + 1 FROM r WHERE r.| < 5) SELECT * FROM r'),
    ).toEqual(['n']);
    expect(complete('WITH r AS (SELECT * FROM r) SELECT r.| FROM r').columns).toEqual([]);
  });

  it('are those of NEW and OLD in a trigger, and of excluded in an upsert', () => {
    const trigger =
      'CREATE TRIGGER x AFTER UPDATE ON Album WHEN NEW.| BEGIN SELECT 1; UPDATE Track SET Name = OLD.Title; END;';
    expect(columnsIn(trigger)).toEqual(SCHEMA[0]!.columns);
    expect(columnsIn(trigger.replace('|', '').replace('OLD.', 'OLD.|'))).toEqual(SCHEMA[0]!.columns);
    expect(complete('CREATE TRIGGER x AFTER INSERT ON Album BEGIN SELECT OLD.| ; END').columns).toEqual([]);
    expect(
      columnsIn('INSERT INTO Album(AlbumId) VALUES (1) ON CONFLICT (AlbumId) DO UPDATE SET Title = excluded.|'),
    ).toEqual(SCHEMA[0]!.columns);
  });

  it('are those of a table function', () => {
    expect(columnsIn("SELECT j.| FROM json_each('[1]') j")).toContain('fullkey');
    expect(columnsIn("SELECT p.| FROM pragma_table_info('Album') p")).toContain('notnull');
  });
});

describe('columns without a qualifier', () => {
  it('are those of the statement at the cursor alone', () => {
    expect(columnsIn('SELECT * FROM Album a; SELECT a.| FROM Track a;')).toContain('Name');
    expect(columnsIn('SELECT * FROM Album; SELECT | FROM Track')).not.toContain('Title');
    expect(columnsIn("SELECT ';' FROM Album; -- ;\nSELECT | FROM Track; SELECT * FROM Artist")).toEqual(
      SCHEMA[2]!.columns,
    );
  });

  it('are qualified when two sources have them', () => {
    const { columns, aliases, options } = complete('SELECT | FROM Track t JOIN Album a ON a.AlbumId = t.AlbumId');
    expect(columns).toEqual(['TrackId', 'Name', 't.AlbumId', 'Unit Price', 'order', 'a.AlbumId', 'Title', 'ArtistId']);
    expect(options.find(({ displayLabel }) => displayLabel === 'a.AlbumId')).toMatchObject({
      label: 'AlbumId',
      apply: 'a.AlbumId',
    });
    expect(aliases).toEqual(['t', 'a']);
  });

  it('include those of the queries around, unless an inner name hides them', () => {
    const correlated = columnsIn('SELECT * FROM Album a WHERE EXISTS (SELECT 1 FROM Track t WHERE |)');
    expect(correlated).toEqual(expect.arrayContaining(['TrackId', 'Title']));
    expect(correlated.filter((name) => name.endsWith('AlbumId'))).toEqual(['AlbumId']);
    // A subquery in FROM does not see its neighbors.
    expect(columnsIn('SELECT * FROM Album a, (SELECT | FROM Artist) s')).toEqual(['ArtistId', 'Name']);
  });

  it('do not come from another SELECT of a UNION', () => {
    expect(columnsIn('SELECT Title FROM Album UNION ALL SELECT | FROM Artist ORDER BY 1')).toEqual([
      'ArtistId',
      'Name',
    ]);
  });

  it('are offered behind the end of what is typed so far', () => {
    expect(columnsIn('SELECT * FROM Track WHERE |')).toContain('Name');
    expect(columnsIn('SELECT * FROM Track WHERE TrackId IN (1, 2) AND |')).toContain('Name');
    expect(columnsIn('SELECT t.\nFROM Track t\nWHERE t.|\nORDER BY 1')).toContain('Name');
    expect(columnsIn('DELETE FROM Track WHERE |')).toContain('Name');
    expect(columnsIn('SELECT sum(|) OVER (PARTITION BY AlbumId) FROM Track')).toContain('Name');
  });

  it('are not confused by IS DISTINCT FROM, CASE, and columns named like keywords', () => {
    expect(columnsIn('SELECT CASE WHEN Name IS DISTINCT FROM Title THEN 1 END AS x, | FROM Track')).toEqual(
      SCHEMA[2]!.columns,
    );
    expect(columnsIn('SELECT t."order", t.offset, | FROM Track t')).toContain('TrackId');
  });

  it('in the list of an INSERT are those of its table that are not listed yet', () => {
    const { columns, keywords, tables } = complete('INSERT INTO Album (AlbumId, |) VALUES (1, 2)');
    expect(columns).toEqual(['Title', 'ArtistId']);
    expect([...keywords, ...tables]).toEqual([]);
    expect(columnsIn('INSERT INTO Album (AlbumId) SELECT | FROM Track')).toEqual(SCHEMA[2]!.columns);
    expect(columnsIn('INSERT INTO Album VALUES (1) ON CONFLICT (|) DO NOTHING')).toEqual(SCHEMA[0]!.columns);
    expect(columnsIn('INSERT INTO Album VALUES (1) RETURNING |')).toEqual(SCHEMA[0]!.columns);
  });

  it('on the left of an assignment are those of the table that is updated', () => {
    expect(complete('UPDATE Track SET |').keywords).toEqual([]);
    expect(columnsIn("UPDATE OR IGNORE Track SET Name = 'x', | WHERE 1")).toEqual(SCHEMA[2]!.columns);
    expect(columnsIn('UPDATE Track SET Name = Album.Title FROM Album WHERE |')).toContain('Title');
  });

  it('of an index are those of its table', () => {
    expect(columnsIn('CREATE INDEX i ON Album (|)')).toEqual(SCHEMA[0]!.columns);
    expect(complete('CREATE INDEX i ON |').tables).toContain('Album');
  });

  it('are joined by the names of result columns in ORDER BY and GROUP BY', () => {
    expect(complete('SELECT count(*) AS many FROM Track ORDER BY |').aliases).toContain('many');
    expect(complete('SELECT count(*) AS many FROM Track WHERE |').aliases).not.toContain('many');
  });
});

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

  it('says nothing inside strings, comments and numbers, nor before a word when not asked', () => {
    for (const text of ["SELECT 'fr| '", '-- fro|', '/* fr| */', 'SELECT 12|'])
      expect(complete(text).result).toBeNull();
    expect(complete('SELECT |', false).result).toBeNull();
  });
});
