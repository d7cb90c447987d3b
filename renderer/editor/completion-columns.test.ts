// Which columns are offered, behind the name of a source and without one.
import { describe, expect, it } from 'vitest';
import { complete, SCHEMA } from './completion-fixture.test-suite.ts';

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
