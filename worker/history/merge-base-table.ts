// Positions in the history that are kept although no step leads to them, each identified by a commit mark, some with rows.
import type { StepId } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';
import { atomically } from '../engines/transaction.ts';

/** The state at `mark` is the one where another file was the same, or where it branched off. */
interface MergeBase {
  readonly mark: string;
  readonly at: StepId;
}

/** `merge_base_rows`: how the other file differed from the database there, an opaque list of bytes. */
const MERGE_BASES = [
  'CREATE TABLE IF NOT EXISTS merge_bases (mark TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS merge_base_rows (mark TEXT NOT NULL, bytes BLOB NOT NULL) STRICT',
];
/** Table names in histories that were begun by earlier versions. */
const EARLIER_NAMES = { anchors: 'merge_bases', anchor_rows: 'merge_base_rows' };

export class MergeBaseTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    const isEarlier = connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'anchors'") !== null;
    atomically(connection, () => {
      if (isEarlier)
        for (const [from, to] of Object.entries(EARLIER_NAMES)) connection.run(`ALTER TABLE ${from} RENAME TO ${to}`);
      for (const sql of MERGE_BASES) connection.run(sql);
    });
  }

  get all(): readonly MergeBase[] {
    return this.#connection
      .all('SELECT mark, at FROM merge_bases')
      .map(([mark, at]) => ({ mark: String(mark), at: Number(at) }));
  }

  put({ mark, at }: MergeBase, rows: Iterable<Uint8Array> = []): void {
    atomically(this.#connection, () => {
      this.remove(mark);
      this.#connection.run('INSERT INTO merge_bases VALUES (?, ?)', [mark, at]);
      for (const bytes of rows) this.#connection.run('INSERT INTO merge_base_rows VALUES (?, ?)', [mark, bytes]);
    });
  }

  remove(mark: string): void {
    this.#connection.run('DELETE FROM merge_bases WHERE mark = ?', [mark]);
    this.#connection.run('DELETE FROM merge_base_rows WHERE mark = ?', [mark]);
  }

  *rowsAt(mark: string): IterableIterator<Uint8Array> {
    const statement = this.#connection.prepare('SELECT bytes FROM merge_base_rows WHERE mark = ? ORDER BY rowid');
    try {
      statement.bind([mark]);
      while (statement.step()) yield statement.value(0) as Uint8Array;
    } finally {
      statement.finalize();
    }
  }
}
