// FTS5 and R-Tree tables that the designer creates and changes: the same rows afterward, found by the new rules; in the library and in place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Progress } from '#shared/protocol/library.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

const TEXTS = `
  CREATE TABLE docs (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    INSERT INTO docs SELECT i * 3 - 3000, iif(i % 2, 'fishes', 'bird') || ' ' || i, 'body ' || i FROM n;
  CREATE VIRTUAL TABLE own USING fts5 (title, body /* long */);
  INSERT INTO own (rowid, title, body) SELECT id, title, body FROM docs;
  INSERT INTO own (own, rank) VALUES ('rank', 'bm25(10.0)');
  CREATE VIRTUAL TABLE other USING fts5 (title, content='docs', content_rowid='id');
  INSERT INTO other (other) VALUES ('rebuild');
  CREATE TRIGGER sync AFTER INSERT ON docs BEGIN INSERT INTO other (rowid, title) VALUES (new.id, new.title); END;
  CREATE VIRTUAL TABLE none USING fts5 (title, content='');
  INSERT INTO none (rowid, title) SELECT id, title FROM docs LIMIT 5;
  CREATE VIEW titles AS SELECT title FROM own;
  CREATE VIRTUAL TABLE places USING rtree (id, x0, x1, +note);
  INSERT INTO places SELECT id, id / 4.0, id / 4.0 + 1.5, title FROM docs;`;

describe.each(disks)('virtual tables, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(TEXTS, disk);
  });
  afterEach(() => fixture.close());

  const all = (sql: string): readonly unknown[] => fixture.connection.all(sql);
  const count = (table: string, match: string): unknown =>
    fixture.connection.one(`SELECT count(*) FROM ${table} WHERE ${table} MATCH ?`, [match])![0];
  const change = (table: string, columns: readonly (string | null)[], sql: string): SchemaChange => ({
    kind: 'change-virtual',
    table,
    sql,
    columns,
  });
  const run = (changes: readonly SchemaChange[], onChunk?: (chunk: unknown) => void) =>
    fixture.call('schema.change', { changes, keep: true }, undefined, onChunk);

  test('an FTS5 table with text of its own gets another tokenizer, name and order of columns, and keeps rows and settings', async () => {
    const rows = all('SELECT rowid, title, body FROM own');
    expect(count('own', 'fish')).toBe(0);
    const sql = `CREATE VIRTUAL TABLE own USING fts5 (text, tags UNINDEXED, title, tokenize = 'porter')`;
    const changed = change('own', ['body', null, 'title'], sql);
    expect(await fixture.call('schema.plan', { changes: [changed] })).toMatchObject({
      steps: [{ kind: 'rebuild', table: 'own', sql, rows: 2500 }],
    });
    expect(await run([changed])).toMatchObject({
      kept: true,
      integrityChecked: ['own'],
      integrity: [],
      tables: [
        {
          rowsBefore: 2500,
          rowsAfter: 2500,
          rowids: 'kept',
          columns: [
            { name: 'text', from: 'body', values: 'same' },
            { name: 'tags', values: 'new' },
            { name: 'title', values: 'same' },
          ],
        },
      ],
    });
    expect(all('SELECT rowid, title, text FROM own')).toEqual(rows);
    expect(count('own', 'fish')).toBe(1250);
    expect(all("SELECT v FROM own_config WHERE k = 'rank'")).toEqual([['bm25(10.0)']]);
    expect(all("SELECT name FROM sqlite_schema WHERE name LIKE 'sidelite%'")).toEqual([]);
    await fixture.undo();
    expect(all('SELECT rowid, title, body FROM own')).toEqual(rows);
    expect(count('own', 'fish')).toBe(0);
  });

  test('one with the text of a table is filled from it, also when that begins or ends', async () => {
    const stems = `CREATE VIRTUAL TABLE other USING fts5 (title, tokenize='porter', content='docs', content_rowid='id')`;
    expect(await run([change('other', ['title'], stems)])).toMatchObject({ kept: true, broken: [], integrity: [] });
    expect(count('other', 'fish')).toBe(1250);
    await fixture.run("INSERT INTO docs VALUES (99999, 'a fish', NULL)");
    expect(count('other', 'fish')).toBe(1251);
    const own = 'CREATE VIRTUAL TABLE other USING fts5 (title)';
    expect(await run([change('other', ['title'], own)])).toMatchObject({ kept: true, tables: [{ rowsAfter: 2501 }] });
    expect(all('SELECT rowid, title FROM other')).toEqual(all('SELECT id, title FROM docs'));
    const again = `CREATE VIRTUAL TABLE own USING fts5 (title, body, content='docs', content_rowid='id')`;
    expect(await run([change('own', ['title', 'body'], again)])).toMatchObject({
      tables: [{ rowsBefore: 2500, rowsAfter: 2501 }],
    });
    expect(all("SELECT name FROM sqlite_schema WHERE name = 'own_content'")).toEqual([]);
    const created = {
      kind: 'create',
      sql: `CREATE VIRTUAL TABLE made USING fts5 (body, content='docs', content_rowid='id')`,
    } as const;
    expect(await run([created])).toMatchObject({
      kept: true,
      tables: [],
      indexed: [{ table: 'made', content: 'docs', contentRows: 2501, indexedRows: 2501 }],
    });
    expect(count('made', '2500')).toBe(1);
    const ofView = {
      kind: 'create',
      sql: `CREATE VIRTUAL TABLE of_view USING fts5 (title, content='titles')`,
    } as const;
    expect((await failureOf(run([ofView]))).code).toBe('sql');
  });

  test('a report on new objects compares nothing with what was there before, and counts the rows that are not indexed', async () => {
    const create = (sql: string): SchemaChange => ({ kind: 'create', sql });
    await fixture.run('CREATE TABLE lines (no INT, text TEXT)');
    await fixture.run("INSERT INTO lines VALUES (1, 'ant'), (2, 'bee'), (NULL, 'cat')");
    const lines = "CREATE VIRTUAL TABLE of_lines USING fts5 (text, content='lines', content_rowid='no')";
    expect(await run([create(lines)])).toMatchObject({
      tables: [],
      indexed: [{ table: 'of_lines', content: 'lines', contentRows: 3, indexedRows: 2 }],
    });
    for (const sql of ['CREATE VIRTUAL TABLE areas USING rtree (id, x0, x1)', 'CREATE INDEX by_title ON docs (title)'])
      expect(await run([create(sql)]), `report on ${sql}`).toMatchObject({ kept: true, tables: [], indexed: [] });
  });

  test('one that keeps no text is not changed unless it is empty, and the reason is told before', async () => {
    const before = fixture.dump;
    const stems = change(
      'none',
      ['title'],
      `CREATE VIRTUAL TABLE none USING fts5 (title, tokenize='porter', content='')`,
    );
    const failure = { code: 'unavailable', message: expect.stringContaining('keeps no text') };
    expect(await failureOf(fixture.call('schema.plan', { changes: [stems] }))).toMatchObject(failure);
    expect(await failureOf(run([stems]))).toMatchObject(failure);
    expect(fixture.dump).toBe(before);
    await fixture.run("INSERT INTO none (none) VALUES ('delete-all')");
    expect(await run([stems])).toMatchObject({ kept: true, tables: [{ rowsAfter: 0 }] });
    const kept = change('own', ['title', 'body'], `CREATE VIRTUAL TABLE own USING fts5 (title, body, content='')`);
    expect(await run([kept])).toMatchObject({ broken: [], tables: [{ rowsAfter: 2500 }] });
    expect(count('own', 'fishes')).toBe(1250);
  });

  test('an R-Tree gets a dimension, integers and another name of a column', async () => {
    const rows = all('SELECT id, x0, x1, note FROM places ORDER BY id');
    const wide = 'CREATE VIRTUAL TABLE places USING rtree (id, x0, x1, y0, y1, +remark TEXT)';
    expect(await run([change('places', ['id', 'x0', 'x1', null, null, 'note'], wide)])).toMatchObject({
      kept: true,
      integrity: [],
      tables: [{ rowsBefore: 2500, rowsAfter: 2500 }],
    });
    expect(all('SELECT id, x0, x1, remark FROM places ORDER BY id')).toEqual(rows);
    const integers = 'CREATE VIRTUAL TABLE places USING rtree_i32 (id, x0, x1)';
    const report = await run([change('places', ['id', 'x0', 'x1'], integers)]);
    expect(report.tables[0]!.columns[1]).toMatchObject({ values: 'converted' });
    expect(report.tables[0]!.columns[1]!.changed).toBeGreaterThan(1000);
    expect(all('SELECT count(*) FROM places WHERE x0 >= 10 AND x1 <= 20')).not.toEqual([[0]]);
    const text = change('places', ['id', 'x0', 'x1'], 'CREATE VIRTUAL TABLE places USING fts5 (id, x0, x1)');
    expect(await failureOf(run([text]))).toMatchObject({ code: 'invalid' });
  });

  test('is stopped in every phase, after which everything is as it was', async () => {
    const before = fixture.dump;
    const sql = `CREATE VIRTUAL TABLE own USING fts5 (title, body, tokenize = 'porter')`;
    for (const phase of ['Copying the rows of own', 'Checking own']) {
      const stop = (chunk: unknown): void => void ((chunk as Progress).phase === phase && fixture.cancelAll());
      expect(await failureOf(run([change('own', ['title', 'body'], sql)], stop))).toMatchObject({ code: 'stopped' });
      expect(fixture.dump).toBe(before);
    }
    const wrong = sql.replace('porter', 'no such tokenizer');
    expect(await failureOf(run([change('own', ['title', 'body'], wrong)]))).toMatchObject({ code: 'sql' });
    expect(fixture.dump).toBe(before);
  });

  test('a table that happens to have the name of a part of another kind of table is not counted', async () => {
    await fixture.run('CREATE TABLE places_content (a)');
    await fixture.run('INSERT INTO places_content VALUES (1), (2)');
    const changed = change(
      'places',
      ['id', 'x0', 'x1', 'note'],
      'CREATE VIRTUAL TABLE places USING rtree (id, lo, hi, +note)',
    );
    expect(await fixture.call('schema.plan', { changes: [changed] })).toMatchObject({ steps: [{ rows: 2500 }] });
    expect((await run([changed])).tables).toMatchObject([{ rowsBefore: 2500, rowsAfter: 2500 }]);
  });
});
