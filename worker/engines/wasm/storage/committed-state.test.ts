// The last committed state of a database on disk: copied, restored, and named, through any sequence of transactions and crashes.
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Connection } from '../../engine.ts';
import type { TransactionChanges } from '../../transaction-changes.ts';
import { FaultLab } from '../faults/lab.test-suite.ts';
import { contents } from '../faults/workload.test-suite.ts';

const COPY = '/copy.sqlite3';

let lab: FaultLab;
beforeAll(async () => {
  lab = await FaultLab.open();
});
beforeEach(() => lab.disk.start(null, 0));

function start(): Connection {
  const db = lab.connect('full');
  db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  db.run("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  return db;
}

/** Content of a database made of the copied parts. */
function copied(db: Connection): string {
  const sizes = { file: 0, wal: 0 };
  lab.disk.remove(COPY);
  lab.disk.remove(`${COPY}-wal`);
  for (const { part, bytes } of db.copyCommitted()) {
    lab.disk.put(part === 'file' ? COPY : `${COPY}-wal`, sizes[part], bytes);
    sizes[part] += bytes.length;
  }
  const copy = lab.connect('full', COPY);
  try {
    expect(copy.one('PRAGMA integrity_check')).toEqual(['ok']);
    return contents(copy);
  } finally {
    copy.close();
  }
}

describe('a copy of what is committed', () => {
  test('takes the file and its log', () => {
    const db = start();
    expect(copied(db)).toBe(contents(db));
    db.checkpoint();
    expect(copied(db)).toBe(contents(db));
    db.close();
  });

  test('knows nothing of an open transaction, not even of pages that have left the cache', () => {
    const db = start();
    const before = contents(db);
    db.run('PRAGMA cache_size = 4');
    db.run('BEGIN');
    for (let id = 10; id < 200; id++) db.run('INSERT INTO t VALUES (?, randomblob(2000))', [id]);
    db.run("UPDATE t SET v = 'other' WHERE id = 1");
    expect(copied(db)).toBe(before);
    db.run('COMMIT');
    expect(copied(db)).toBe(contents(db));
    db.close();
  });

  test('is the one before when the log was just begun anew', () => {
    const db = start();
    db.one('PRAGMA wal_checkpoint(PASSIVE)');
    const before = contents(db);
    db.run('PRAGMA cache_size = 4');
    db.run('BEGIN');
    for (let id = 10; id < 200; id++) db.run('INSERT INTO t VALUES (?, randomblob(2000))', [id]);
    expect(copied(db)).toBe(before);
    db.run('ROLLBACK');
    expect(copied(db)).toBe(before);
    db.close();
  });
});

describe('restoring', () => {
  test('makes the content that of the copy, keeps TEMP tables, and says that anything may have changed', () => {
    const db = start();
    const before = contents(db);
    copied(db);
    db.run('CREATE TEMP TABLE mine (v)');
    db.run('INSERT INTO mine VALUES (7)');
    db.run('DROP TABLE t');
    db.run('CREATE TABLE other (a, b, c)');
    const published: TransactionChanges[] = [];
    db.onCommit((changes) => published.push(changes));
    db.restoreFrom(COPY);
    expect(contents(db)).toBe(before);
    expect(db.all('SELECT v FROM temp.mine')).toEqual([[7]]);
    expect(published).toEqual([{ tables: null, schema: true, log: null }]);
    db.run("INSERT INTO t VALUES (3, 'three')");
    expect(published[1]?.tables?.get('t')?.inserted).toBe(true);
    const after = contents(db);
    db.close();
    const again = lab.connect('full');
    expect(contents(again)).toBe(after);
    expect(again.one('PRAGMA integrity_check')).toEqual(['ok']);
    again.close();
  });

  test('is refused inside a transaction, while something reads, and with pages of another size', () => {
    const db = start();
    const before = contents(db);
    copied(db);
    db.run('BEGIN');
    expect(() => db.restoreFrom(COPY)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    db.run('COMMIT');
    const reading = db.prepare('SELECT * FROM t');
    reading.step();
    expect(() => db.restoreFrom(COPY)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    reading.finalize();
    const small = lab.sqlite.package.capi.sqlite3_js_db_export(smallPages());
    lab.disk.remove(COPY);
    lab.disk.remove(`${COPY}-wal`);
    lab.disk.put(COPY, 0, small);
    expect(() => db.restoreFrom(COPY)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(contents(db)).toBe(before);
    db.close();
  });

  test('can be stopped, and then nothing was changed', () => {
    const db = start();
    for (let id = 10; id < 20; id++) db.run('INSERT INTO t VALUES (?, zeroblob(1000000))', [id]);
    copied(db);
    db.run('DELETE FROM t');
    const before = { contents: contents(db), mark: db.commitMark };
    db.onProgress(() => true);
    expect(() => db.restoreFrom(COPY)).toThrow(expect.objectContaining({ code: 'stopped' }));
    db.onProgress(null);
    expect({ contents: contents(db), mark: db.commitMark }).toEqual(before);
    db.restoreFrom(COPY);
    expect(db.one('SELECT count(*) FROM t')).toEqual([12]);
    db.close();
  });
});

function smallPages() {
  const db = new lab.sqlite.package.oo1.DB(':memory:');
  db.exec('PRAGMA page_size = 512; CREATE TABLE t (v)');
  return db;
}

describe('the mark of the last commit', () => {
  test('is another after a commit, and the same after anything that commits nothing', () => {
    let db = start();
    const marks = new Set([db.commitMark]);
    for (const sql of ["INSERT INTO t VALUES (3, 'x')", 'CREATE INDEX i ON t (v)', 'VACUUM', 'DELETE FROM t']) {
      db.run(sql);
      expect(marks).not.toContain(db.commitMark);
      marks.add(db.commitMark);
    }
    const mark = db.commitMark;
    const same = (body: () => unknown): void => {
      body();
      expect(db.commitMark).toBe(mark);
    };
    same(() => db.all('SELECT * FROM t'));
    same(() => db.run('BEGIN'));
    same(() => db.run("INSERT INTO t VALUES (4, 'y')"));
    same(() => db.run('ROLLBACK'));
    same(() => db.one('PRAGMA wal_checkpoint(PASSIVE)'));
    same(() => db.run('PRAGMA cache_size = 4'));
    // The log restarts, but nothing is committed.
    same(() => db.run('BEGIN'));
    same(() =>
      db.run(
        'WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 99) INSERT INTO t SELECT i, zeroblob(3000) FROM n',
      ),
    );
    same(() => db.run('ROLLBACK'));
    same(() => db.checkpoint());
    same(() => {
      db.close();
      db = lab.connect('full');
    });
    same(() => db.checkpoint());
    db.close();
  });

  test('is another when the tail of the log is lost', () => {
    const db = lab.connect('balanced');
    db.run('CREATE TABLE t (v)');
    db.checkpoint();
    const safe = db.commitMark;
    db.run('INSERT INTO t VALUES (1)');
    expect(db.commitMark).not.toBe(safe);
    lab.disk.turnOff();
    db.close();
    lab.disk.restart('none');
    const again = lab.connect('balanced');
    expect(again.one('SELECT count(*) FROM t')).toEqual([0]);
    expect(again.commitMark).toBe(safe);
    again.close();
  });

  test('never names another state in other journal modes', () => {
    let db = start();
    const mark = db.commitMark;
    db.run('PRAGMA journal_mode = DELETE');
    db.run("INSERT INTO t VALUES (3, 'three')");
    expect(db.commitMark).not.toBe(mark);
    db.close();
    db = lab.connect('full');
    expect(db.commitMark).not.toBe(mark);
    db.close();
  });

  test.each([4096, 8192, 65_536])(
    'another journal mode is really another, also for a VACUUM to pages of %d',
    (bytes) => {
      let db = start();
      const rows = contents(db);
      db.run('PRAGMA journal_mode = DELETE');
      db.run('CREATE TABLE other (a)');
      expect(lab.disk.names.filter((name) => name.endsWith('-wal'))).toEqual([]);
      db.run(`PRAGMA page_size = ${bytes}`);
      db.run('VACUUM');
      db.run('DROP TABLE other');
      db.run('PRAGMA journal_mode = WAL');
      db.run('CREATE TABLE another (a)');
      db.run('DROP TABLE another');
      db.close();
      db = lab.connect('full');
      expect(db.one('PRAGMA page_size')).toEqual([bytes]);
      expect(db.one('PRAGMA integrity_check')).toEqual(['ok']);
      expect(contents(db)).toBe(rows);
      db.close();
    },
  );

  test('names exactly one state through random transactions, checkpoints, closings and kills', () => {
    const actions = ['insert', 'commit', 'rollback', 'checkpoint', 'passive', 'large', 'reopen', 'kill'] as const;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...actions), { maxLength: 40 }), (steps) => {
        lab.disk.start(null, 0);
        let db = start();
        const states = new Map<string, string>();
        let last = db.commitMark;
        states.set(last, contents(db));
        for (const step of steps) {
          const commits = step === 'commit' ? !db.autocommit : step === 'insert' && db.autocommit;
          db = act(db, step);
          expect(db.autocommit && commits).toBe(db.commitMark !== last);
          if (!db.autocommit) {
            expect(copied(db)).toBe(states.get(last));
            continue;
          }
          const seen = contents(db);
          expect(states.get(db.commitMark) ?? seen).toBe(seen);
          last = db.commitMark;
          states.set(last, seen);
        }
        db.close();
      }),
      { seed: 7, numRuns: seedCount(60) },
    );
  });
});

type Action = 'insert' | 'commit' | 'rollback' | 'checkpoint' | 'passive' | 'large' | 'reopen' | 'kill';

function act(db: Connection, action: Action): Connection {
  switch (action) {
    case 'insert':
      db.run('INSERT INTO t VALUES (NULL, random() % 1000)');
      return db;
    case 'large':
      if (db.autocommit) db.run('BEGIN');
      db.run('PRAGMA cache_size = 4');
      db.run(
        'WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 60) INSERT INTO t SELECT NULL, randomblob(3000) FROM n',
      );
      db.run('UPDATE t SET v = v WHERE id % 3 = 0');
      return db;
    case 'commit':
    case 'rollback':
      if (!db.autocommit) db.run(action);
      return db;
    case 'checkpoint':
    case 'passive':
      if (db.autocommit) db.one(`PRAGMA wal_checkpoint(${action === 'passive' ? 'PASSIVE' : 'TRUNCATE'})`);
      return db;
    case 'kill':
      lab.disk.turnOff();
      db.close();
      lab.disk.restart('all');
      return lab.connect('full');
    case 'reopen':
      db.close();
      return lab.connect('full');
  }
}
