import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { ConflictChoices } from '#shared/protocol/history.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT UNIQUE, g AS (a || b));
  INSERT INTO t VALUES (1, 'one', 'x'), (2, 'two', 'y'), (3, 'three', 'z');
  CREATE TABLE w (k TEXT, l INTEGER, v, PRIMARY KEY (l, k)) WITHOUT ROWID;
  INSERT INTO w VALUES ('a', 1, 'first'), ('a', 2, 'second');
  CREATE TABLE code (name TEXT PRIMARY KEY, v);
  INSERT INTO code VALUES ('de', 1), ('fr', 2);
  CREATE TABLE log (what);`;

const CHANGES = [
  "BEGIN; UPDATE t SET a = 'uno' WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (9, NULL, 'é'), (10, -1.5, NULL), (11, 9007199254740993, ''); COMMIT",
  "BEGIN; UPDATE w SET v = x'00ff', l = 5 WHERE l = 1; UPDATE code SET v = 3.0 WHERE name = 'fr'; UPDATE code SET name = 'at' WHERE name = 'de'; COMMIT",
  `BEGIN; UPDATE t SET a = 1e300 WHERE id = 1; UPDATE t SET a = char(0) || 'nul' WHERE id = 1; INSERT INTO t VALUES (12, zeroblob(300), 'long'); DELETE FROM t WHERE id = 12; COMMIT`,
  'BEGIN; DELETE FROM code; DELETE FROM w; COMMIT',
];
const TABLES = ['t', 'w', 'code'];

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(SCHEMA, disk);
  });
  afterEach(() => fixture.close());

  const newest = async () => (await fixture.steps())[0]!.id;
  const rowsHere = (): string =>
    JSON.stringify(
      TABLES.map((table) =>
        fixture.connection.all(`SELECT *, hex(CAST(${table === 't' ? 'a' : 'v'} AS BLOB)) FROM ${table} ORDER BY 1, 2`),
      ),
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );

  async function exported(format: 'changeset' | 'sql') {
    fixture.files.delete('out');
    const reply = await fixture.call('patch.export', { step: await newest(), format, sink: 'out' });
    const bytes = fixture.files.get('out') ?? new Uint8Array();
    expect(bytes.length).toBe(reply.sizeBytes);
    return { bytes, notes: reply.notes };
  }

  /** Another program's SQLite with the same tables. */
  function elsewhere(): DatabaseSync {
    const db = new DatabaseSync(':memory:');
    db.exec(SCHEMA);
    return db;
  }

  function rowsThere(db: DatabaseSync): string {
    const tables = TABLES.map((table) => {
      const query = db.prepare(`SELECT *, hex(CAST(${table === 't' ? 'a' : 'v'} AS BLOB)) FROM ${table} ORDER BY 1, 2`);
      query.setReadBigInts(true);
      return query.all().map((row) => Object.values(row));
    });
    return JSON.stringify(tables, (_, value: unknown) => {
      if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
      return value;
    });
  }

  describe('a patch', () => {
    test('is a changeset that SQLite itself applies', async () => {
      const there = elsewhere();
      for (const sql of CHANGES) {
        await fixture.run(sql);
        const { bytes, notes } = await exported('changeset');
        expect(notes).toEqual([]);
        expect(there.applyChangeset(bytes)).toBe(true);
        expect(comparable(rowsThere(there))).toBe(comparable(rowsHere()));
      }
    });

    test('is SQL that any SQLite runs', async () => {
      const there = elsewhere();
      for (const sql of CHANGES) {
        await fixture.run(sql);
        there.exec(new TextDecoder().decode((await exported('sql')).bytes));
        expect(comparable(rowsThere(there))).toBe(comparable(rowsHere()));
      }
    });

    test('names rows as they were at its step, whatever was done to them since', async () => {
      const there = elsewhere();
      await fixture.run("UPDATE code SET v = 9 WHERE name = 'de'");
      await fixture.run("UPDATE w SET v = 'older' WHERE l = 1");
      const [older, named] = (await fixture.steps()).map(({ id }) => id);
      await fixture.run("BEGIN; UPDATE code SET name = 'at' WHERE name = 'de'; DELETE FROM w WHERE l = 1; COMMIT");
      for (const step of [named!, older!]) {
        fixture.files.delete('out');
        expect((await fixture.call('patch.export', { step, format: 'changeset', sink: 'out' })).notes).toEqual([]);
        there.applyChangeset(fixture.files.get('out')!);
      }
      expect(there.prepare("SELECT v FROM code WHERE name = 'de'").get()).toEqual({ v: 9 });
      expect(there.prepare('SELECT v FROM w WHERE l = 1').get()).toEqual({ v: 'older' });
    });

    test('leaves out what a changeset cannot name, and says so', async () => {
      await fixture.run("BEGIN; INSERT INTO log VALUES ('here'); INSERT INTO code VALUES (NULL, 1), ('it', 2); COMMIT");
      const { bytes, notes } = await exported('changeset');
      expect(notes).toEqual([
        expect.stringContaining('1 changed row of “log”, because the table has no primary key'),
        expect.stringContaining('1 changed row of “code”, because the primary key is NULL'),
      ]);
      const there = elsewhere();
      there.applyChangeset(bytes);
      expect(there.prepare('SELECT count(*) AS n FROM code').get()).toEqual({ n: 3 });
      expect(new TextDecoder().decode((await exported('sql')).bytes)).toContain(
        'INSERT INTO "log" ("rowid", "what") VALUES (1, \'here\')',
      );
    });

    test('of more rows than are kept with their values after can be made while it is the newest', async () => {
      const many =
        'WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n LIMIT 12000) INSERT INTO t (id, a) SELECT i, i FROM n';
      await fixture.run(many);
      const there = elsewhere();
      there.applyChangeset((await exported('changeset')).bytes);
      expect(there.prepare('SELECT count(*) AS n, sum(a) AS s FROM t WHERE id >= 100').get()).toEqual({
        n: 12_000,
        s: 73_194_000,
      });
      const step = await newest();
      await fixture.run('UPDATE t SET a = 0 WHERE id = 200');
      const failure = await failureOf(fixture.call('patch.export', { step, format: 'sql', sink: 'out' }));
      expect(failure).toMatchObject({ code: 'invalid', message: expect.stringContaining('newest') });
    });
  });

  /** Only one side distinguishes REALs that are whole numbers. */
  function comparable(rows: string): string {
    return rows
      .replaceAll(/\{"real":([^}]*)\}/g, '$1')
      .replaceAll(/"(\d{16,})"/g, '$1')
      .replaceAll(/\{"0":[^}]*\}/g, 'blob');
  }

  describe('a changeset from elsewhere', () => {
    const apply = (choices?: ConflictChoices) =>
      fixture.call('patch.apply', { source: 'in', ...(choices && { choices }) });

    /** A changeset from SQLite's own session extension. */
    function recorded(sql: string): DatabaseSync {
      const there = elsewhere();
      const session = there.createSession();
      there.exec(sql);
      fixture.files.set('in', session.changeset());
      return there;
    }

    test('is applied as one step, which can be undone', async () => {
      const before = fixture.dump;
      for (const sql of CHANGES) {
        const there = recorded(sql);
        expect(await apply()).toMatchObject({ applied: true, skipped: 0 });
        expect(comparable(rowsHere())).toBe(comparable(rowsThere(there)));
        expect((await fixture.steps())[0]).toMatchObject({ title: 'Apply patch in.changeset', kind: 'rows' });
        await fixture.undo();
        expect(fixture.dump).toBe(before);
      }
    });

    test('meets rows that differ: nothing is changed before each is decided', async () => {
      recorded("UPDATE t SET a = 'theirs'; INSERT INTO code VALUES ('it', 1); DELETE FROM w WHERE l = 1");
      await fixture.run(
        "UPDATE t SET a = 'mine' WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO code VALUES ('it', 2); UPDATE w SET v = 'edited' WHERE l = 1",
      );
      const before = fixture.dump;
      const reply = await apply();
      if (reply.applied) throw new Error('It was applied.');
      expect(reply.conflicts.map(({ reason }) => reason).toSorted()).toEqual(['differs', 'differs', 'exists', 'gone']);
      expect(fixture.dump).toBe(before);
      expect(await apply({ rows: {}, all: 'mine' })).toMatchObject({ applied: true, rowsChanged: 1, skipped: 4 });
      await fixture.undo();
      expect(await apply({ rows: {}, all: 'theirs' })).toMatchObject({ applied: true, rowsChanged: 4, skipped: 1 });
      expect(fixture.connection.all("SELECT a FROM t UNION ALL SELECT v FROM code WHERE name = 'it'")).toEqual([
        ['theirs'],
        ['theirs'],
        [1],
      ]);
    });

    test.each([
      ['DROP TABLE w', 'there is no table “w”'],
      ['ALTER TABLE w DROP COLUMN v', 'columns for “w”'],
      ['DROP TABLE w; CREATE TABLE w (k TEXT PRIMARY KEY, l, v)', 'another primary key'],
      ['DROP TABLE w; CREATE VIEW w AS SELECT 1 AS k, 2 AS l, 3 AS v', 'not an ordinary table'],
    ])('does not fit after %s', async (sql, why) => {
      recorded("UPDATE w SET v = 'new'");
      await fixture.run(sql);
      expect(await failureOf(apply())).toMatchObject({ code: 'invalid', message: expect.stringContaining(why) });
    });

    test('a patchset is refused', async () => {
      const there = elsewhere();
      const session = there.createSession();
      there.exec("UPDATE t SET a = 'new'");
      fixture.files.set('in', session.patchset());
      expect(await failureOf(apply())).toMatchObject({ code: 'invalid', message: expect.stringContaining('patchset') });
    });

    /** The changeset of one table with an INTEGER PRIMARY KEY and another column, by the bytes of its changes. */
    const changesOf = (table: string, changes: Iterable<readonly number[]>): Uint8Array =>
      Uint8Array.from([0x54, 2, 1, 0, ...Buffer.from(table), 0, ...[...changes].flat()]);
    const integer = (value: number): readonly number[] => {
      const bytes = Buffer.alloc(9, 1);
      bytes.writeBigInt64BE(BigInt(value), 1);
      return [...bytes];
    };
    const update = (id: number, from: number, to: number) => [
      23, 0, ...integer(id), ...integer(from), 0, ...integer(to),
    ]; // prettier-ignore
    const insert = (id: number, value: number) => [18, 0, ...integer(id), ...integer(value)];
    const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);
    const counted = (count: number): string =>
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT i, i FROM n`;

    /** With the milliseconds of processor time that it took. */
    async function applied(changes: Uint8Array, choices?: ConflictChoices) {
      fixture.files.set('in', changes);
      const before = process.threadCpuUsage();
      const reply = await apply(choices).catch((error: { message: string }) => error.message);
      const { user, system } = process.threadCpuUsage(before);
      return { reply, ms: (user + system) / 1000 };
    }

    test('shifts unique values in time that grows with the rows, whatever their order', async () => {
      const count = 4000;
      await fixture.run(`CREATE TABLE p (id INTEGER PRIMARY KEY, place UNIQUE); INSERT INTO p ${counted(count)}`);
      const before = fixture.dump;
      const shifts = numbers(count).map((id) => update(id, id, id + 1));
      // In pairs, so that each direction finds only one of two rows free.
      const inPairs = shifts.map((_, at) => shifts[at ^ 1]!);
      for (const order of [shifts, [...shifts].reverse(), inPairs]) {
        const { reply, ms } = await applied(changesOf('p', order));
        expect(reply).toMatchObject({ applied: true, rowsChanged: count });
        expect(ms).toBeLessThan(10_000);
        await fixture.undo();
        expect(fixture.dump).toBe(before);
      }
    }, 120_000);

    test('says so when it would take too long to find out which rows can make way', async () => {
      const count = 3000;
      await fixture.run(`CREATE TABLE p (id INTEGER PRIMARY KEY, place UNIQUE); INSERT INTO p ${counted(count)}`);
      await fixture.run('INSERT INTO p VALUES (100000, 200000), (100001, 300000)');
      const before = fixture.dump;
      // In no order in which rows make way for many others; and one row never gets its value, so they cannot be moved together.
      const shuffled = numbers(count).toSorted((a, b) => ((a * 7919) % count) - ((b * 7919) % count));
      const changes = [...shuffled.map((id) => update(id, id, id + 1)), update(100_001, 300_000, 200_000)];
      const { reply, ms } = await applied(changesOf('p', changes));
      expect(reply).toMatch(/would take too long\. Nothing was changed\./);
      expect(ms).toBeLessThan(10_000);
      expect(fixture.dump).toBe(before);
    }, 120_000);

    test('with thousands of rows that refer to nothing names the first of them soon', async () => {
      const count = 20_000;
      await fixture.run('CREATE TABLE c (id INTEGER PRIMARY KEY, up REFERENCES c)');
      const rows = numbers(count).map((id) => insert(id, 1_000_000));
      const { reply, ms } = await applied(changesOf('c', rows));
      expect(reply).toMatchObject({ applied: false, total: count });
      expect(ms).toBeLessThan(10_000);
    }, 120_000);

    test('a key may be a long blob', async () => {
      await fixture.run('CREATE TABLE k (id BLOB PRIMARY KEY, v)');
      const size = 4_000_000;
      const head = [0x54, 2, 1, 0, 0x6b, 0, 18, 0, 4, 0x80 | (size >> 21), 0x80 | ((size >> 14) & 127), 0x80 | ((size >> 7) & 127), size & 127]; // prettier-ignore
      const changes = new Uint8Array(head.length + size + 1).fill(200);
      changes.set(head);
      changes[changes.length - 1] = 5;
      const { reply, ms } = await applied(changes);
      expect(reply).toMatchObject({ applied: true, rowsChanged: 1 });
      expect(ms).toBeLessThan(5000);
    }, 120_000);

    test('whatever its bytes are, it is applied whole or refused in words, and never more than a moment is spent on it', async () => {
      recorded(`${CHANGES[0]!}; ${CHANGES[1]!}`);
      const good = fixture.files.get('in')!;
      const before = fixture.dump;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
          fc.nat(good.length),
          async (edits, length) => {
            const bytes = good.slice(0, length % 3 === 0 ? length : good.length);
            for (const [at, byte] of edits) if (at < bytes.length) bytes[at] = byte;
            fixture.files.set('in', bytes);
            const usedBefore = process.threadCpuUsage();
            const outcome = await apply().then(
              (reply) => reply,
              (error: { code: string }) => error.code,
            );
            const { user, system } = process.threadCpuUsage(usedBefore);
            expect((user + system) / 1000).toBeLessThan(1000);
            if (typeof outcome === 'string') expect(['invalid', 'too-big']).toContain(outcome);
            else if (outcome.applied && outcome.step > 0) await fixture.undo();
            expect(fixture.dump).toBe(before);
          },
        ),
        { numRuns: seedCount(300), seed: 20_240_611 },
      );
    });

    test.each<[string, readonly number[]]>([
      ['no table before the first change', [18, 0, 1]],
      ['a huge count of columns', [0x54, 0xff, 0xff, 0xff, 0xff, 0x7f, 1]],
      ['a table without columns', [0x54, 0]],
      ['no primary key', [0x54, 1, 0, 0x74, 0]],
      ['a name without an end', [0x54, 1, 1, 0x74]],
      ['a text of 4 GB', [0x54, 1, 1, 0x74, 0, 18, 0, 3, 0x8f, 0xff, 0xff, 0xff, 0x7f]],
      ['an endless length', [0x54, 1, 1, 0x74, 0, 18, 0, 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
      ['a type of value that is none', [0x54, 1, 1, 0x74, 0, 18, 0, 9]],
      ['a NaN', [0x54, 1, 1, 0x74, 0, 18, 0, 2, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0]],
      ['half an integer', [0x54, 1, 1, 0x74, 0, 18, 0, 1, 0, 0]],
    ])('%s is refused', async (_what, bytes) => {
      fixture.files.set('in', Uint8Array.from(bytes));
      await fixture.run('DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY)');
      expect(await failureOf(apply())).toMatchObject({ code: 'invalid' });
    });
  });
});
