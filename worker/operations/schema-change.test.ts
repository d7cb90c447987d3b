// Changes of the schema as a window requests them, in the library and in place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { QueryEvent } from '#shared/protocol/query.ts';
import type { SchemaChange, SchemaChangeReport } from '#shared/protocol/schema-change.ts';
import { holdOpen, runIn } from '../engines/native/storage/other-program.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks, FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

/** Features that a rebuild by hand loses, silently or with an error. */
const DIFFICULT = `
  CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT /* as written */, n, boss REFERENCES t (id) ON DELETE CASCADE,
    twice AS (n * 2), "a ""b" TEXT COLLATE NOCASE -- the last one
  );
  CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t (id) ON DELETE CASCADE ON UPDATE CASCADE, note TEXT);
  CREATE TABLE log (what);
  CREATE INDEX by_code ON t (code) WHERE code IS NOT NULL;
  CREATE UNIQUE INDEX by_twice ON t (lower(code), id DESC);
  CREATE VIEW codes AS SELECT code, id + n FROM t;
  CREATE VIEW codes_again AS SELECT * FROM codes;
  CREATE VIEW broken AS SELECT missing FROM t;
  CREATE TRIGGER noted AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.code); END;
  CREATE TRIGGER no_more BEFORE INSERT ON t WHEN new.n BETWEEN 1000 AND 2000 BEGIN SELECT RAISE(ABORT, 'too many'); END;
  CREATE TRIGGER of_child AFTER INSERT ON child BEGIN UPDATE t SET n = n + 1 WHERE id = new.t; END;
  CREATE TRIGGER instead INSTEAD OF INSERT ON codes BEGIN INSERT INTO t (code) VALUES (new.code); END;
  CREATE VIRTUAL TABLE found USING fts5 (code, content='t', content_rowid='id');
  INSERT INTO t (id, code, n, boss) VALUES (1, '007', 1, NULL), (5, '1e3', 2.0, 1), (9, NULL, x'00ff', 5), (40, 'é', NULL, NULL);
  DELETE FROM t WHERE id = 40;
  INSERT INTO child VALUES (1, 1, 'a'), (2, 5, 'b');
  DELETE FROM log;
  INSERT INTO found (found) VALUES ('rebuild');
  ANALYZE;`;

const COLUMNS = ['id', 'code', 'n', 'boss', 'twice', 'a "b'];

describe.each(disks)('a table made anew, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(DIFFICULT, disk);
  });
  afterEach(() => fixture.close());

  const sqlOf = (name: string): string =>
    fixture.connection.one('SELECT sql FROM main.sqlite_schema WHERE name = ?', [name])![0] as string;
  /** A change that takes a rebuild: ALTER adds no check to a column. */
  const checked = (): string => sqlOf('t').replace('n, boss', 'n CHECK (n IS NOT 7), boss');
  const change = (changes: readonly SchemaChange[], keep?: boolean): Promise<SchemaChangeReport> =>
    fixture.call('schema.change', { changes, ...(keep !== undefined && { keep }) });
  const changed = (sql: string, columns: readonly (string | null)[] = COLUMNS): SchemaChange => ({
    kind: 'change-table',
    table: 't',
    sql,
    columns,
  });
  /** Contents, regardless of schema order. */
  const contents = (): readonly string[] =>
    fixture.dump
      .replaceAll(/^\w+ \d+ \| /gm, '')
      .split('\n')
      .toSorted();

  test('has the text it was given and nothing else is another: discarded, kept and undone', async () => {
    const before = fixture.dump;
    const was = contents();
    const old = sqlOf('t');
    const sql = old.replace('n, boss', 'n CHECK (n IS NOT 7), boss');
    const report = await change([changed(sql)]);
    expect(report).toMatchObject({
      kept: false,
      broken: [],
      brokenKeys: [],
      integrity: [],
      brokenBefore: [{ kind: 'view', name: 'broken' }],
      tables: [{ table: 't', rowsBefore: 3, rowsAfter: 3, rowids: 'kept' }],
    });
    expect(report.tables[0]!.columns.map(({ values }) => values)).toEqual([
      'same',
      'same',
      'same',
      'same',
      'computed',
      'same',
    ]);
    expect(report.restored.map(({ name }) => name)).toEqual(['by_code', 'by_twice', 'noted', 'no_more']);
    await fixture.call('dryRun.finish', { keep: false });
    expect(fixture.dump).toBe(before);
    expect(await change([changed(sql)], true)).toMatchObject({ kept: true });
    const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
    expect(contents()).toEqual(was.map((line) => line.replace(escaped(old), escaped(sql))).toSorted());
    expect(await fixture.steps()).toMatchObject([{ title: 'Change table t', kind: 'snapshot' }]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('leaves foreign keys on, whatever ends the transaction', async () => {
    const isOn = () => fixture.connection.one('PRAGMA foreign_keys')![0];
    const legacy = () => fixture.connection.one('PRAGMA legacy_alter_table')![0];
    const sql = checked();
    for (const keep of [true, false]) {
      await change([changed(sql)]);
      expect(isOn()).toBe(0);
      await fixture.call('dryRun.finish', { keep });
      expect([isOn(), legacy()]).toEqual([1, 0]);
      expect(await failureOf(fixture.call('dryRun.finish', { keep: true }))).toMatchObject({ code: 'not-found' });
    }
    const failure = await failureOf(change([changed(sql.replace('code TEXT', 'code TEXT NOT NULL'))]));
    expect(failure).toMatchObject({
      code: 'constraint',
      message: expect.stringContaining('Everything is as it was before.'),
    });
    expect([isOn(), legacy()]).toEqual([1, 0]);
    const other = fixture.newWindow('Window 2');
    await fixture.call('schema.change', { changes: [changed(sql)] }, other);
    expect(await failureOf(fixture.run('DELETE FROM t'))).toMatchObject({ code: 'transaction-elsewhere' });
    fixture.leave(other);
    expect([isOn(), legacy()]).toEqual([1, 0]);
  });

  test('is refused inside a transaction, and nothing is added to it after it was checked', async () => {
    const before = fixture.dump;
    await fixture.run('BEGIN');
    expect(await failureOf(change([changed(checked())]))).toMatchObject({ code: 'transaction-elsewhere' });
    await fixture.run('ROLLBACK');
    await change([changed(checked())]);
    const more = fixture.run("INSERT INTO child VALUES (99, 99, 'leads nowhere')");
    expect(await failureOf(more)).toMatchObject({ code: 'refused' });
    await fixture.call('dryRun.finish', { keep: false });
    expect(fixture.dump).toBe(before);
  });

  test('says which values a new type converts', async () => {
    const report = await change([changed(sqlOf('t').replace('code TEXT', 'code INTEGER'))]);
    expect(report.tables[0]!.columns[1]).toEqual({ name: 'code', from: 'code', values: 'converted', changed: 2 });
  });

  test('says what a dropped column breaks: views, triggers, indexes over text, full-text tables', async () => {
    const sql = 'CREATE TABLE t (id INTEGER PRIMARY KEY, n, boss)';
    const drops = ['by_code', 'by_twice'].map((name) => ({ kind: 'drop', object: 'index', name }) as const);
    const report = await change([changed(sql, ['id', 'n', 'boss']), ...drops], true);
    expect(report.kept).toBe(false);
    expect(report.broken.map(({ name }) => name).toSorted()).toEqual([
      'codes',
      'codes_again',
      'found',
      'instead',
      'noted',
    ]);
    expect(report.broken.every(({ message }) => message !== '')).toBe(true);
  });

  test('tells keys that lead nowhere only because of the change', async () => {
    await fixture.run(
      "PRAGMA foreign_keys = OFF; INSERT INTO child VALUES (3, 77, 'was broken'); PRAGMA foreign_keys = ON",
    );
    expect(await change([changed(checked())])).toMatchObject({ brokenKeys: [], keysChecked: ['child', 't'] });
    await fixture.call('dryRun.finish', { keep: false });
    const report = await change([{ kind: 'empty-table', table: 't' }]);
    expect(report.brokenKeys).toEqual([{ table: 'child', parent: 't', count: 2 }]);
    expect(fixture.connection.one('SELECT count(*) FROM child')).toEqual([3]);
  });

  test('renames, drops, copies and makes objects, each one step that can be undone', async () => {
    const before = fixture.dump;
    const steps: readonly (readonly [SchemaChange, string])[] = [
      [{ kind: 'rename-table', table: 'child', to: 'kid' }, 'SELECT count(*) FROM kid'],
      [
        { kind: 'drop', object: 'table', name: 'child' },
        "SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'child')",
      ],
      [
        { kind: 'drop', object: 'index', name: 'by_code' },
        "SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'by_code')",
      ],
      [
        { kind: 'drop', object: 'table', name: 'found' },
        "SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name LIKE 'found%')",
      ],
      [{ kind: 'duplicate-table', table: 'child', to: 'x "y', rows: true }, 'SELECT count(*) FROM "x ""y"'],
      [{ kind: 'duplicate-table', table: 't', to: 't2', rows: false }, 'SELECT 2 + count(*) FROM t2'],
      [{ kind: 'empty-table', table: 'child' }, 'SELECT 2 + count(*) FROM child'],
      [{ kind: 'create', sql: 'CREATE TABLE made (a, b) STRICT, WITHOUT ROWID' }, ''],
      [{ kind: 'create', sql: 'CREATE VIEW made AS SELECT 2' }, 'SELECT * FROM made'],
    ];
    for (const [step, check] of steps) {
      const isWrong = check === '';
      if (isWrong) {
        expect(await failureOf(change([step], true))).toMatchObject({ code: 'sql' });
        continue;
      }
      if (step.kind === 'rename-table') await change([{ kind: 'drop', object: 'view', name: 'broken' }], true);
      expect(await change([step], true)).toMatchObject({ kept: true });
      expect(fixture.connection.one(check)).toEqual([2]);
      await fixture.undo();
      if (step.kind === 'rename-table') await fixture.undo();
      expect(fixture.dump).toBe(before);
    }
  });

  test('is left to ALTER where that does all of it, comments included', async () => {
    // SQLite renames no column that an INSTEAD OF trigger of a view knows.
    const drops: SchemaChange[] = ['broken', 'codes_again', 'codes'].map((name) => ({
      kind: 'drop',
      object: 'view',
      name,
    }));
    await change(drops, true);
    const added = sqlOf('child').replace('note TEXT)', 'note TEXT, more REAL DEFAULT 1.5)');
    const child = (sql: string, columns: readonly (string | null)[]): SchemaChange => ({
      kind: 'change-table',
      table: 'child',
      sql,
      columns,
    });
    const report = await change([child(added, ['id', 't', 'note', null])], true);
    expect(report).toMatchObject({
      kept: true,
      sql: ['ALTER TABLE main."child" ADD COLUMN more REAL DEFAULT 1.5'],
      tables: [],
    });
    const linked = sqlOf('child').replace(
      '1.5',
      '1.5, peer INTEGER REFERENCES child ON DELETE SET NULL CHECK (peer > 0)',
    );
    expect(await change([child(linked, ['id', 't', 'note', 'more', null])], true)).toMatchObject({
      sql: ['ALTER TABLE main."child" ADD COLUMN peer INTEGER REFERENCES child ON DELETE SET NULL CHECK (peer > 0)'],
      tables: [],
    });
    await fixture.undo();
    const defaulted = linked.replace('peer INTEGER', 'peer INTEGER DEFAULT 1');
    expect(await change([child(defaulted, ['id', 't', 'note', 'more', null])], true)).toMatchObject({
      tables: [{ table: 'child', rowsAfter: 2 }],
    });
    await fixture.undo();
    const renamed = sqlOf('child').replace('note TEXT', '"remark" TEXT');
    expect(await change([child(renamed, ['id', 't', 'note', 'more'])], true)).toMatchObject({
      sql: ['ALTER TABLE main."child" RENAME COLUMN "note" TO "remark"'],
    });
    const commented = sqlOf('child').replace('1.5', '1.5, last TEXT -- with a comment\n');
    const rebuilt = await change([child(commented, ['id', 't', 'remark', 'more', null])], true);
    expect(rebuilt).toMatchObject({ kept: true, tables: [{ table: 'child', rowsAfter: 2 }] });
    expect(sqlOf('child')).toBe(commented);
    const swapped = sqlOf('t')
      .replace('code TEXT', 'n TEXT')
      .replace('n, boss', 'code, boss')
      .replace('(n * 2)', '(code * 2)');
    expect(await change([changed(swapped, ['id', 'code', 'n', 'boss', 'twice', 'a "b'])])).toMatchObject({
      tables: [
        { columns: [{}, { name: 'n', from: 'n', values: 'same' }, { name: 'code', values: 'same' }, {}, {}, {}] },
      ],
    });
    expect(sqlOf('by_code')).toBe('CREATE INDEX by_code ON t ("n") WHERE "n" IS NOT NULL');
  });

  test('a view that is made again keeps its triggers', async () => {
    const trigger = sqlOf('instead');
    const changes: SchemaChange[] = [
      { kind: 'drop', object: 'view', name: 'codes' },
      { kind: 'create', sql: 'CREATE VIEW codes AS SELECT code, id + n, boss FROM t' },
    ];
    expect(await change(changes, true)).toMatchObject({ kept: true, restored: [{ kind: 'trigger', name: 'instead' }] });
    expect(sqlOf('instead')).toBe(trigger);
    await fixture.undo();
    expect(sqlOf('instead')).toBe(trigger);
  });

  test('is planned: what is run, what is in the way, and what depends on it', async () => {
    const before = fixture.dump;
    const plan = (sql: string, columns: readonly (string | null)[] = COLUMNS) =>
      fixture.call('schema.plan', { changes: [changed(sql, columns)] });
    const strict = sqlOf('t')
      .replace('code TEXT', 'code TEXT NOT NULL UNIQUE')
      .replace('n, boss', "n CHECK (typeof(n) <> 'blob'), boss");
    const planned = await plan(strict);
    expect(planned).toMatchObject({
      steps: [{ kind: 'rebuild', table: 't', sql: strict, rows: 3 }],
      obstacles: [
        { kind: 'not-null', columns: ['code'], count: 1 },
        { kind: 'check', columns: ['n'], count: 1 },
      ],
    });
    for (const { sql, count } of planned.obstacles) expect(fixture.connection.all(sql)).toHaveLength(count);
    expect(planned.dependents.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
      'index by_code', 'index by_twice', 'table child', 'trigger instead', 'trigger no_more', 'trigger noted', 'trigger of_child', 'view codes', 'view codes_again', 'virtual found',
    ]); // prettier-ignore
    expect(
      await plan(sqlOf('t').replace('-- the last one\n', ', more TEXT DEFAULT 0 -- the last one\n'), [
        ...COLUMNS,
        null,
      ]),
    ).toMatchObject({
      steps: [{ kind: 'statement', sql: 'ALTER TABLE main."t" ADD COLUMN more TEXT DEFAULT 0' }],
      obstacles: [],
    });
    const planAdded = async (column: string) => {
      const sql = sqlOf('child').replace('note TEXT)', `note TEXT, ${column})`);
      const child: SchemaChange = { kind: 'change-table', table: 'child', sql, columns: ['id', 't', 'note', null] };
      return (await fixture.call('schema.plan', { changes: [child] })).steps;
    };
    // SQLite tries the rows for a check alone.
    expect(await planAdded('peer REFERENCES child')).toMatchObject([{ kind: 'statement', rows: null }]);
    expect(await planAdded('more DEFAULT 7')).toMatchObject([{ kind: 'statement', rows: null }]);
    expect(await planAdded('more CHECK (more > 0)')).toMatchObject([{ kind: 'statement', rows: 2 }]);
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(0);
  });

  test('names what uses a column, found by compiling', async () => {
    const before = fixture.dump;
    const uses = async (table: string, column: string | null) =>
      (await fixture.call('schema.uses', { table, column })).map(({ kind, name }) => `${kind} ${name}`).toSorted();
    expect(await uses('t', 'code')).toEqual([
      'index by_code', 'index by_twice', 'trigger instead', 'trigger noted', 'view codes', 'view codes_again', 'virtual found',
    ]); // prettier-ignore
    expect(await uses('t', 'n')).toEqual([
      'table t',
      'trigger instead',
      'trigger no_more',
      'trigger of_child',
      'view codes',
      'view codes_again',
    ]);
    expect(await uses('t', 'boss')).toEqual(['table t']);
    expect(await uses('child', 'note')).toEqual([]);
    expect(await uses('child', 't')).toEqual(['table child', 'trigger of_child']);
    expect(await uses('codes', null)).toEqual(['trigger instead', 'view codes_again']);
    expect(await failureOf(uses('t', 'nothing'))).toMatchObject({ code: 'not-found' });
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(0);
    expect(fixture.connection.one('PRAGMA foreign_keys')).toEqual([1]);
  });

  test('names the parts of tables that use a column, found by renaming it in a copy', async () => {
    await fixture.run(`CREATE TABLE parts (id INTEGER PRIMARY KEY, a TEXT CHECK (length(a) > 0), "b c" AS (a || id), d UNIQUE,
      other REFERENCES child, CONSTRAINT both CHECK (a <> 'd'), UNIQUE (d, a))`);
    await fixture.run(
      'CREATE TABLE points (x, y, FOREIGN KEY (x) REFERENCES parts (d), FOREIGN KEY (y) REFERENCES parts)',
    );
    await fixture.run('CREATE VIEW quoted AS SELECT count(*) FROM parts WHERE "other" > 1');
    const before = fixture.dump;
    const steps = fixture.state.steps;
    const parts = async (table: string, column: string | null) =>
      (await fixture.call('schema.uses', { table, column })).map(({ name, part }) =>
        part ? `${name}: ${part.kind} ${part.sql}` : name,
      );
    expect(await parts('parts', 'a')).toEqual([
      'parts: check a CHECK (length(a) > 0)',
      'parts: generated "b c" AS (a || id)',
      "parts: check CONSTRAINT both CHECK (a <> 'd')",
      'parts: unique UNIQUE (d, a)',
    ]);
    expect(await parts('parts', 'D')).toEqual([
      'parts: unique d UNIQUE',
      'parts: unique UNIQUE (d, a)',
      'points: foreign-key FOREIGN KEY (x) REFERENCES parts (d)',
    ]);
    expect(await parts('parts', 'id')).toEqual([
      'parts: primary-key id PRIMARY KEY',
      'parts: generated "b c" AS (a || id)',
      'points: foreign-key FOREIGN KEY (y) REFERENCES parts',
    ]);
    expect(await parts('parts', 'other')).toEqual(['parts: foreign-key other REFERENCES child', 'quoted']);
    expect(await parts('child', null)).toEqual(['parts: foreign-key other REFERENCES child', 'of_child']);
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(steps);
  });

  test('is stopped in every phase, after which everything is as it was', async () => {
    const before = fixture.dump;
    const sql = sqlOf('t').replace('n, boss', 'n CHECK (n IS NOT 7), boss');
    const phases = new Set<string>();
    const run = (onPhase: (phase: string) => void) =>
      fixture.call('schema.change', { changes: [changed(sql)] }, undefined, (chunk) =>
        onPhase((chunk as Progress).phase),
      );
    await run((phase) => phases.add(phase));
    await fixture.call('dryRun.finish', { keep: false });
    expect([...phases]).toEqual(
      expect.arrayContaining([
        'Copying the rows of t',
        'Creating the index by_code',
        'Checking t',
        'Checking the foreign keys of child',
      ]),
    );
    for (const phase of phases) {
      const failure = await failureOf(run((now) => now === phase && fixture.cancelAll()));
      expect(failure).toMatchObject({
        code: 'stopped',
        message: expect.stringContaining('Everything is as it was before.'),
      });
      expect(fixture.connection.one('PRAGMA foreign_keys')).toEqual([1]);
      expect(fixture.dump).toBe(before);
    }
    expect(fixture.state.steps).toBe(0);
  });

  test('is seen by nobody before it is whole', async () => {
    const seen: unknown[] = [];
    const other = fixture.newWindow('Window 2');
    const count = () => fixture.call('query.run', { sql: 'SELECT * FROM t' }, other, (chunk) => seen.push(chunk));
    const reads: Promise<unknown>[] = [];
    const emitted = (): void => void reads.push(count());
    await fixture.call('schema.change', { changes: [changed(checked())] }, undefined, emitted);
    await Promise.all(reads);
    expect(reads.length).toBeGreaterThan(3);
    const rows = (seen.flat() as QueryEvent[]).flatMap((event) => (event.kind === 'done' ? [event.rows] : []));
    expect(new Set(rows)).toEqual(new Set([3]));
  });
});

describe.each(['wal', 'delete'] as const)('a file that another program has locked, journal mode %s', (mode) => {
  test('is waited for, and nothing is changed before', async () => {
    const disk = new FileDisk(mode);
    const fixture = new HistoryFixture(DIFFICULT, disk);
    const other = await holdOpen(disk.file, 'BEGIN IMMEDIATE');
    try {
      const { clock } = fixture;
      const change: SchemaChange = { kind: 'duplicate-table', table: 'log', to: 'journal', rows: true };
      let answer: unknown = null;
      const asked = fixture
        .call('schema.change', { changes: [change], keep: true })
        .then((report) => (answer = report));
      for (let round = 0; round < 3; round++) {
        clock.advance(50);
        await clock.nextTask();
        expect(answer).toBeNull();
        expect(fixture.connection.one("SELECT name FROM sqlite_schema WHERE name = 'journal'")).toBeNull();
      }
      await runIn(other, 'ROLLBACK');
      await expect.poll(() => (clock.advance(50), answer), { interval: 1 }).not.toBeNull();
      await asked;
      expect(answer).toMatchObject({ broken: [] });
    } finally {
      other.kill('SIGKILL');
      fixture.close();
    }
  });

  test.each(['BEGIN IMMEDIATE', 'BEGIN; SELECT count(*) FROM t'])(
    'a rebuild is made after the lock, or not at all, while another program has it with %s',
    async (sql) => {
      const disk = new FileDisk(mode);
      const fixture = new HistoryFixture(DIFFICULT, disk);
      const before = fixture.dump;
      const other = await holdOpen(disk.file, sql);
      try {
        const { clock } = fixture;
        const [old] = fixture.connection.one("SELECT sql FROM sqlite_schema WHERE name = 't'") as [string];
        const change: SchemaChange = {
          kind: 'change-table',
          table: 't',
          sql: old.replace('n, boss', 'n CHECK (n IS NOT 7), boss'),
          columns: COLUMNS,
        };
        const attempt = async (isStopped: boolean): Promise<unknown> => {
          let answer: unknown = null;
          void fixture.call('schema.change', { changes: [change], keep: true }).then(
            (report) => (answer = report),
            (error: unknown) => (answer = error),
          );
          for (let round = 0; round < 3 && answer === null; round++) {
            clock.advance(50);
            await clock.nextTask();
          }
          // In the rollback journal a reader keeps a writer from committing; in the log it does not.
          if (answer === null && isStopped) fixture.cancelAll();
          else if (answer === null) await runIn(other, 'ROLLBACK');
          await expect.poll(() => (clock.advance(50), answer), { interval: 1 }).not.toBeNull();
          return answer;
        };
        const first = await attempt(true);
        if (first instanceof AppError) {
          expect(['stopped', 'locked']).toContain(first.code);
          expect(first.message).toMatch(/Everything is as it was before\.|Nothing was changed\./);
          expect(fixture.dump).toBe(before);
          expect(fixture.connection.one('PRAGMA foreign_keys')).toEqual([1]);
          expect(await attempt(false)).toMatchObject({ kept: true, broken: [] });
        } else expect(first).toMatchObject({ kept: true, broken: [] });
      } finally {
        other.kill('SIGKILL');
        fixture.close();
      }
    },
  );
});
