// Runs the hot paths before anybody waits for them: SQLite's code is slow until the browser has compiled what is used a second time.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection, Engine } from '../engine.ts';
import { IN_MEMORY } from './wasm-engine.ts';

const TOTAL_MS = 200;
const SLICE_MS = 5;
const ROWS = 50;

/** In short slices between other work. `isWanted` is asked before each: once false, it is over. */
export async function warmUp(engine: Engine, isWanted: () => boolean): Promise<void> {
  const db = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  try {
    db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, amount REAL, note BLOB)');
    db.run('CREATE INDEX t_name ON t (name)');
    for (let spent = 0; spent < TOTAL_MS && isWanted();) {
      const began = performance.now();
      while (performance.now() - began < SLICE_MS) workOnce(db);
      spent += performance.now() - began;
      await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    db.close();
  }
}

/** Below a millisecond, once it is warm. */
function workOnce(db: Connection): void {
  const first = db.totalChanges;
  db.run('BEGIN');
  for (let id = first; id < first + ROWS; id++)
    db.run('INSERT INTO t (name, amount, note) VALUES (?, ?, ?)', [`name ${id * 7919}`, id / 3, null]);
  db.run('COMMIT');
  for (const sql of [
    'SELECT * FROM t WHERE id > ? ORDER BY id LIMIT 200',
    'SELECT name, sum(amount) FROM t WHERE id > ? GROUP BY substr(name, 6, 2) ORDER BY 2 LIMIT 20',
  ]) {
    const statement = db.prepare(sql);
    statement.bind([Math.max(0, first - 200)]);
    const writer = new PackedRowsWriter(statement.columnCount);
    statement.pack(writer, { maxRows: 200 });
    statement.finalize();
  }
}
