// Runs the hot paths when the engine is idle: the browser compiles SQLite's code well only when it has been used for a while.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection } from '../../engine.ts';

/** A start that reopens the last database has done so by then, so the warm-up does not disturb it. */
const BEGIN_AFTER_MS = 500;
const TOTAL_MS = 200;
const SLICE_MS = 5;

const ROWS = 20;
const QUERIES = [
  'SELECT id, * FROM t WHERE id > ? ORDER BY id LIMIT 200',
  'SELECT count(*), sum(amount), max(id) FROM t WHERE id > ?',
  'SELECT substr(name, 6, 2) AS g, count(*) FROM t WHERE id > ? GROUP BY g ORDER BY 2 DESC LIMIT 20',
  "SELECT * FROM t WHERE id > ? AND name LIKE '%9%' ORDER BY amount DESC LIMIT 50",
];

/**
 * Works in slices, between which everything else has its turn.
 * @param open a database in memory, closed again afterwards
 * @param isWanted asked before each slice: once it returns false, the warm-up ends
 */
export async function warmUp(open: () => Connection, isWanted: () => boolean): Promise<void> {
  await turn(BEGIN_AFTER_MS);
  if (!isWanted()) return;
  const db = open();
  try {
    const work = pieces(db);
    for (let spentMs = 0; spentMs < TOTAL_MS && isWanted();) {
      const began = performance.now();
      while (performance.now() - began < SLICE_MS) work.next();
      spentMs += performance.now() - began;
      await turn(0);
    }
  } finally {
    db.close();
  }
}

function turn(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Endless sequence of pieces, each far shorter than a slice. */
function* pieces(db: Connection): Generator<void> {
  db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, amount REAL, note BLOB)');
  yield;
  db.run('CREATE INDEX t_name ON t (name)');
  for (let first = 1; ; first += ROWS) {
    yield;
    db.run('BEGIN');
    for (let id = first; id < first + ROWS; id++)
      db.run('INSERT INTO t VALUES (?, ?, ?, ?)', [id, `name ${id * 7919}`, id / 3, null]);
    db.run('COMMIT');
    for (const sql of QUERIES) {
      yield;
      pack(db, sql, Math.max(0, first - 200));
    }
  }
}

function pack(db: Connection, sql: string, from: number): void {
  const statement = db.prepare(sql);
  statement.bind([from]);
  const writer = new PackedRowsWriter(statement.columnCount);
  statement.pack(writer, { maxRows: 200 });
  writer.finish();
  statement.finalize();
}
