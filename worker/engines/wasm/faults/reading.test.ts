// Every read of a life with reading and writing in it fails once: an error, never a wrong answer, and nothing lost.
import { beforeAll, expect, test } from 'vitest';
import { LONG } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import { FaultLab } from './lab.test-suite.ts';
import { contents, COPY, WORKLOAD } from './workload.test-suite.ts';

/** Every read of the first test fails once in the long tests; otherwise one of three. */
const STEP = LONG ? 1 : 3;

let lab: FaultLab;
beforeAll(async () => {
  lab = await FaultLab.open();
});

/** Returns what the body does, or null after an I/O error. */
function unlessUnreadable<T>(body: () => T): T | null {
  try {
    return body();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: 'io',
      message: expect.stringMatching(/^The file system reported an error .*\.$/),
    });
    return null;
  }
}

/** A file and a log, so that both are read. Returns the contents. */
function prepare(): string {
  lab.disk.start(null, 0);
  const db = lab.connect('full');
  for (const step of WORKLOAD) {
    step.run(db);
    if (step.copied) lab.keepCopy(db);
  }
  db.run('UPDATE account SET amount = 1');
  const before = contents(db);
  lab.disk.turnOff();
  db.close();
  lab.disk.restart('all');
  return before;
}

function readAndWrite(db: Connection, before: string): void {
  // Pages are read again and again.
  db.run('PRAGMA cache_size = 10');
  const seen = unlessUnreadable(() => contents(db));
  if (seen !== null) expect(seen).toBe(before);
  unlessUnreadable(() => db.run("UPDATE note SET body = body || '!' WHERE id = 1"));
  unlessUnreadable(() => db.run('DELETE FROM account WHERE id = -1'));
  unlessUnreadable(() => db.checkpoint());
}

test('one unreadable page after the other', () => {
  let reads = 0;
  for (let last = false; !last; reads += STEP) {
    const before = prepare();
    lab.disk.failReadAfter(reads);
    const db = unlessUnreadable(() => lab.connect('full'));
    if (db) readAndWrite(db, before);
    last = !lab.disk.readFailed;
    lab.disk.repair();
    db?.close();
    const again = lab.connect('full');
    const kept = contents(again).replaceAll('!', '');
    expect(kept).toBe(before);
    expect(again.one('PRAGMA integrity_check')).toEqual(['ok']);
    again.close();
  }
  expect(reads).toBeGreaterThan(30);
});

/** The blobs of the table below are zeros; one that is not is there byte by byte. */
function zerosOf(db: Connection): string {
  const rows = db.all('SELECT id, iif(v = zeroblob(2000), 2000, quote(v)) FROM t ORDER BY id');
  return JSON.stringify([db.all('SELECT type, name, tbl_name, sql FROM sqlite_schema'), rows]);
}

test('a copy with an unreadable page restores nothing, and all of itself once it can be read', () => {
  lab.disk.start(null, 0);
  const db = lab.connect('full');
  db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  db.run(
    'WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 2000) INSERT INTO t SELECT i, zeroblob(2000) FROM n',
  );
  lab.keepCopy(db);
  const copied = zerosOf(db);
  db.run('DELETE FROM t WHERE id % 2 = 0');
  const before = { contents: zerosOf(db), mark: db.commitMark };
  let reads = 0;
  for (let restored = false; !restored; reads++) {
    lab.disk.failReadAfter(reads);
    restored =
      unlessUnreadable(() => {
        db.restoreFrom(COPY);
        return true;
      }) ?? false;
    lab.disk.repair();
    if (!restored) expect({ contents: zerosOf(db), mark: db.commitMark }).toEqual(before);
  }
  expect(zerosOf(db)).toBe(copied);
  expect(db.one('PRAGMA integrity_check')).toEqual(['ok']);
  expect(reads).toBeGreaterThan(20);
  db.close();
});
