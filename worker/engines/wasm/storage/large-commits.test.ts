// Transactions larger than the page cache: their pages reach the log early and more than once, and the checkpoint after them moves many.
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Connection } from '../../engine.ts';
import type { Kept } from '../faults/fault.test-suite.ts';
import { FaultLab } from '../faults/lab.test-suite.ts';

let lab: FaultLab;
beforeAll(async () => {
  lab = await FaultLab.open();
});
beforeEach(() => lab.disk.start(null, 0));

const RUNS = seedCount(60);
const TABLES = ['t', 'u'] as const;

/** A change that touches pages all over a table again and again. */
interface Change {
  readonly table: (typeof TABLES)[number];
  readonly kind: 'add' | 'change' | 'remove';
  readonly rows: number;
  readonly bytes: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  table: fc.constantFrom(...TABLES),
  kind: fc.constantFrom('add' as const, 'add' as const, 'change' as const, 'remove' as const),
  rows: fc.integer({ min: 1, max: 60 }),
  bytes: fc.integer({ min: 0, max: 3000 }),
});

function start(autocheckpoint: number): Connection {
  const db = lab.connect('full');
  for (const table of TABLES) db.run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, v)`);
  for (const table of TABLES)
    db.run(
      `INSERT INTO ${table} WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300) SELECT i, zeroblob(500) FROM n`,
    );
  db.checkpoint();
  db.run(`PRAGMA wal_autocheckpoint = ${autocheckpoint}`);
  db.run('PRAGMA cache_size = 4');
  return db;
}

function apply(db: Connection, { table, kind, rows, bytes }: Change, at: number): void {
  const start = (at * 37) % 300;
  if (kind === 'add')
    for (let row = 0; row < rows; row++) db.run(`INSERT INTO ${table} (v) VALUES (zeroblob(?))`, [bytes]);
  else if (kind === 'change')
    db.run(`UPDATE ${table} SET v = zeroblob(?) WHERE id BETWEEN ? AND ?`, [bytes, start, start + rows]);
  else db.run(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`, [start, start + rows]);
}

/** Everything in the database. All blobs are zeros; one that is not is there byte by byte. */
function contents(db: Connection): string {
  const schema = db.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name');
  const rows = TABLES.map((table) =>
    db.all(`SELECT id, iif(v = zeroblob(length(v)), length(v), quote(v)) FROM ${table} ORDER BY id`),
  );
  return JSON.stringify([schema, ...rows]);
}

function reopened(db: Connection, kept: Kept = 'all'): Connection {
  lab.disk.turnOff();
  db.close();
  lab.disk.restart(kept);
  return lab.connect('full');
}

describe.each([
  ['stays in the log', 0],
  ['is moved into the file', 10],
])('a transaction that %s', (_where, autocheckpoint) => {
  test('is there after a crash, whole, and whatever came before and after it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(change, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        (all) => {
          lab.disk.start(null, 0);
          let db = start(autocheckpoint);
          for (const transaction of all) {
            db.run('BEGIN');
            transaction.forEach((each, at) => apply(db, each, at));
            db.run('COMMIT');
            const expected = contents(db);
            db = reopened(db);
            expect(contents(db)).toBe(expected);
            expect(db.one('PRAGMA integrity_check')).toEqual(['ok']);
            db.run(`PRAGMA wal_autocheckpoint = ${autocheckpoint}`);
            db.run('PRAGMA cache_size = 4');
          }
          db.close();
        },
      ),
      { seed: 7, numRuns: RUNS, endOnFailure: true },
    );
  });

  test('is there or is not after a power cut at any moment of its commit, and all else is whole', () => {
    const found = { before: 0, after: 0 };
    const transaction = fc.array(change, { minLength: 1, maxLength: 12 });
    const kept = fc.constantFrom<Kept>('all', 'some', 'none');
    fc.assert(
      fc.property(transaction, kept, fc.integer({ min: 1, max: 200 }), fc.nat(), (changes, what, cutAfter, seed) => {
        lab.disk.start(null, seed);
        let db = start(autocheckpoint);
        const before = contents(db);
        db.run('BEGIN');
        changes.forEach((each, at) => apply(db, each, at));
        const after = contents(db);
        lab.disk.cutPowerAfter(cutAfter);
        const isCommitted = succeeds(() => db.run('COMMIT'));
        db = reopened(db, what);
        const now = contents(db);
        expect(isCommitted ? [after] : [before, after]).toContain(now);
        expect(db.one('PRAGMA integrity_check')).toEqual(['ok']);
        found[now === after ? 'after' : 'before']++;
        db.close();
      }),
      { seed: 8, numRuns: RUNS * 2, endOnFailure: true },
    );
    expect(found.before).toBeGreaterThan(0);
    expect(found.after).toBeGreaterThan(0);
  });
});

describe('a commit whose log is moved in pieces', () => {
  const between = fc.constantFrom('nothing', 'nothing', 'write', 'roll back', 'checkpoint', 'crash');

  test('is whole, and so is whatever is written, rolled back, or moved between the pieces, also after a crash', () => {
    let seen = 0;
    const transaction = fc.array(change, { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(transaction, fc.array(between, { maxLength: 8 })), { maxLength: 3 }), (all) => {
        lab.disk.start(null, 0);
        let db = start(10);
        let expected = contents(db);
        const again = (): void => {
          db = reopened(db);
          expect(contents(db)).toBe(expected);
          expect(db.one('PRAGMA integrity_check')).toEqual(['ok']);
          db.run('PRAGMA wal_autocheckpoint = 10');
          db.run('PRAGMA cache_size = 4');
        };
        for (const [changes, events] of all) {
          db.run('BEGIN');
          changes.forEach((each, at) => apply(db, each, at));
          expected = contents(db);
          const left = [...events];
          let event;
          for (const { doneBytes, totalBytes } of db.commitInPieces!(() => void db.run('COMMIT'), 0)) {
            expect(doneBytes).toBeLessThan(totalBytes);
            seen++;
            event = left.shift();
            if (event === 'crash') break;
            if (event === 'checkpoint') db.checkpoint();
            if (event === 'roll back') db.run('BEGIN');
            if (event === 'roll back' || event === 'write') apply(db, changes[0]!, seen);
            if (event === 'roll back') db.run('ROLLBACK');
            expected = contents(db);
          }
          expect(contents(db)).toBe(expected);
          expect(db.one('PRAGMA wal_autocheckpoint')).toEqual([10]);
          if (event === 'crash') again();
        }
        db.checkpoint();
        again();
        db.close();
      }),
      { seed: 9, numRuns: RUNS * 2, endOnFailure: true },
    );
    expect(seen).toBeGreaterThan(RUNS);
  });

  test('leaves SQLite nothing to write but the header, and nothing in the log afterwards', () => {
    const db = start(10);
    db.run('BEGIN');
    apply(db, { table: 't', kind: 'add', rows: 400, bytes: 3000 }, 0);
    const pieces = db.commitInPieces!(() => void db.run('COMMIT'), 0);
    while (pieces.next().done !== true);
    const before = lab.disk.history.length;
    db.checkpoint();
    const written = lab.disk.history.slice(before).filter((operation) => operation === 'write');
    expect(written.length).toBeLessThan(5);
    expect(db.one('PRAGMA integrity_check')).toEqual(['ok']);
    db.close();
  });

  test('keeps the commit where the disk is full while it is moved', () => {
    const db = start(10);
    db.run('BEGIN');
    apply(db, { table: 't', kind: 'add', rows: 400, bytes: 3000 }, 0);
    const expected = contents(db);
    const pieces = db.commitInPieces!(() => void db.run('COMMIT'), 0);
    pieces.next();
    lab.disk.fail('full');
    while (pieces.next().done !== true);
    expect(contents(db)).toBe(expected);
    lab.disk.repair();
    db.checkpoint();
    const again = reopened(db);
    expect(contents(again)).toBe(expected);
    expect(again.one('PRAGMA integrity_check')).toEqual(['ok']);
    again.close();
  });

  test('commits nothing where COMMIT fails', () => {
    const db = start(10);
    const before = contents(db);
    db.run('BEGIN');
    apply(db, { table: 't', kind: 'add', rows: 40, bytes: 3000 }, 0);
    const pieces = db.commitInPieces!(() => {
      throw new Error('refused');
    }, 0);
    expect(() => pieces.next()).toThrow('refused');
    expect(db.one('PRAGMA wal_autocheckpoint')).toEqual([10]);
    db.run('ROLLBACK');
    expect(contents(db)).toBe(before);
    db.close();
  });
});

function succeeds(body: () => unknown): boolean {
  try {
    body();
    return true;
  } catch {
    return false;
  }
}
