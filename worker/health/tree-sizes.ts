// How large each b-tree is: counted with SQLite's `dbstat` table, a page at a time, from one snapshot.
import type { FileSize, SizesChunk, SizesReply, TreeSize } from '#shared/protocol/health.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { Scan } from '../readers/scan.ts';

/** No ORDER BY: tree by tree, and within a tree in key order, which is what jumps are counted in. */
const PAGES = 'SELECT name, pageno, pagetype, payload, unused FROM temp.dbstat';

export function fileSize(connection: Connection): FileSize {
  const ask = (pragma: string): number => Number(connection.one(`PRAGMA main.${pragma}`)![0]);
  return {
    mark: connection.commitMark,
    pageSize: ask('page_size'),
    pages: ask('page_count'),
    freePages: ask('freelist_count'),
  };
}

/** @param send called now and then, with the trees counted since. @throws AppError `stopped`, `corrupt` */
export function* countSizes(turn: Turn, send: (chunk: SizesChunk) => void): Generator<Pause, SizesReply> {
  const started = performance.now();
  const { connection } = turn;
  const file = fileSize(connection);
  const known = new Map(listTrees(connection).map((tree) => [tree.name, tree]));
  const trees: TreeSize[] = [];
  let unsent: TreeSize[] = [];
  const scan = new Scan(turn, (progress: Progress) => {
    send({ progress, trees: unsent });
    unsent = [];
  });
  const finish = (counted: CountedTree | null): void => {
    if (!counted) return;
    const size = counted.size;
    trees.push(size);
    unsent.push(size);
  };
  let current: CountedTree | null = null;
  let done = 0;
  try {
    yield* scan.rows(PAGES, [], (row) => {
      const name = row.value(0) as string;
      if (current?.name !== name) {
        finish(current);
        current = new CountedTree(name, known.get(name));
      }
      current.add(row.value(2) as string, Number(row.value(1)), Number(row.value(3)), Number(row.value(4)));
      if (++done % 64 === 0)
        scan.tell({
          phase: 'Counting pages',
          done: done * file.pageSize,
          total: (file.pages - file.freePages) * file.pageSize,
          unit: 'bytes',
        });
    });
    finish(current);
  } finally {
    scan.end();
  }
  return { ...file, trees, timeMs: performance.now() - started };
}

class CountedTree {
  readonly name: string;
  readonly #tree: Tree | undefined;
  #pages = 0;
  #payloadBytes = 0;
  #unusedBytes = 0;
  #overflowPages = 0;
  #leafPages = 0;
  #jumps = 0;
  #lastLeaf = 0;
  /** Pages of this tree between the last leaf and now: they may lie between two leaves without making that a jump. */
  #between = 0;

  constructor(name: string, tree: Tree | undefined) {
    this.name = name;
    this.#tree = tree;
  }

  add(type: string, page: number, payloadBytes: number, unusedBytes: number): void {
    this.#pages++;
    this.#payloadBytes += payloadBytes;
    this.#unusedBytes += unusedBytes;
    if (type === 'overflow') this.#overflowPages++;
    if (type !== 'leaf') {
      this.#between++;
      return;
    }
    const distance = page - this.#lastLeaf;
    if (this.#leafPages++ > 0 && (distance < 1 || distance > 1 + this.#between)) this.#jumps++;
    this.#lastLeaf = page;
    this.#between = 0;
  }

  get size(): TreeSize {
    const { name } = this;
    return {
      name,
      table: this.#tree?.table ?? name,
      kind: this.#tree?.kind ?? 'table',
      pages: this.#pages,
      detail: {
        payloadBytes: this.#payloadBytes,
        unusedBytes: this.#unusedBytes,
        overflowPages: this.#overflowPages,
        leafPages: this.#leafPages,
        jumps: this.#jumps,
      },
    };
  }
}

// The b-trees of a database: which table or index each belongs to.

interface Tree extends Pick<TreeSize, 'name' | 'table' | 'kind'> {
  readonly root: number;
}

const SCHEMA_TREE: Tree = { name: 'sqlite_schema', table: 'sqlite_schema', kind: 'schema', root: 1 };

/** Views, triggers, and virtual tables have none. */
export function listTrees(connection: Connection): readonly Tree[] {
  const rows = connection.all(
    "SELECT name, tbl_name, type, rootpage FROM main.sqlite_schema WHERE type IN ('table', 'index') AND rootpage > 0",
  ) as readonly (readonly [string, string, 'table' | 'index', number])[];
  return [SCHEMA_TREE, ...rows.map(([name, table, kind, root]) => ({ name, table, kind, root }))];
}
