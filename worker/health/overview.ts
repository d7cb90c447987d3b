// The first figures of a database, computed within a moment however large it is.
import type { HealthOverview } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { createRandom } from '#shared/random.ts';
import { readSettings } from './settings.ts';
import { statisticsOf } from './structure.ts';
import { fileSize, listTrees } from './tree-sizes.ts';

const ESTIMATE_BUDGET_MS = 300;
/** Limit per answer; `PRAGMA optimize(-1)` lists tables that would be analyzed, and does nothing. */
const MAX_OPTIMIZE_LINES = 200;

/** @param budgetMs for estimating sizes; trees that come later have none */
export function* overview(turn: Turn, budgetMs = ESTIMATE_BUDGET_MS): Generator<Pause, HealthOverview> {
  const { connection } = turn;
  const file = fileSize(connection);
  const trees = yield* estimateTrees(turn, file, performance.now() + budgetMs);
  return {
    ...file,
    trees,
    pragmas: readSettings(connection),
    sqliteVersion: String(connection.one('SELECT sqlite_version()')![0]),
    optimize: whatOptimizeWouldRun(connection),
    statistics: statisticsOf(connection),
  };
}

function* estimateTrees(
  turn: Turn,
  { pageSize, pages: filePages, freePages }: ReturnType<typeof fileSize>,
  endMs: number,
): Generator<Pause, HealthOverview['trees']> {
  const { connection } = turn;
  const read = pageReader(connection, pageSize);
  const usable = pageSize - (read(1)?.[20] ?? 0);
  const found = [];
  let sum = 0;
  let unknown = 0;
  for (const { root, ...tree } of listTrees(connection)) {
    // Estimates of the same file are the same each time.
    const pages = performance.now() < endMs ? estimatePages(read, root, usable, createRandom(root).next) : null;
    if (pages === null) unknown++;
    sum += pages ?? 0;
    found.push({ ...tree, pages, detail: null });
    if (performance.now() >= turn.deadlineMs) yield 'between';
  }
  // They cannot be more than exist; and where all are known, they are all that exist.
  const all = filePages - freePages;
  const factor = sum > all || unknown === 0 ? all / Math.max(1, sum) : 1;
  return found.map((tree) => ({
    ...tree,
    pages: tree.pages === null ? null : tree.pages === 1 ? 1 : Math.max(1, Math.round(tree.pages * factor)),
  }));
}

/** Contents still in the WAL are not seen, and unreadable parts count as missing: these are estimates. */
function pageReader(connection: Connection, pageSize: number): (page: number) => Uint8Array | null {
  return (page) => {
    const offset = (page - 1) * pageSize;
    if (offset < 0 || offset + pageSize > connection.fileSizeBytes) return null;
    try {
      const bytes = connection.readFile(offset, pageSize);
      return bytes.length === pageSize ? bytes : null;
    } catch {
      return null;
    }
  };
}

/** Queried as a table: a PRAGMA of this name counts as one that writes, before which the history makes a copy. */
function whatOptimizeWouldRun(connection: Connection): readonly string[] {
  try {
    return connection
      .all("SELECT * FROM temp.pragma_optimize(-1, 'main')")
      .slice(0, MAX_OPTIMIZE_LINES)
      .map(([sql]) => String(sql));
  } catch {
    // SQLite reports nothing for a schema with errors in it; the checks say what is wrong.
    return [];
  }
}

// About how many pages a b-tree has, from a few of them: random ways from its root to its leaves (Knuth, “Estimating the efficiency of
// backtrack programs”, 1975). The bytes may come from a hostile file, or be older than what SQLite sees: what makes no sense ends it.
// Page format: sqlite.org/fileformat2.html#b_tree_pages.

/** The bytes of a page, numbered from 1; null where there are none. */
type ReadPage = (page: number) => Uint8Array | null;

const MAX_DEPTH = 20;
const WAYS = 12;

const Type = { indexInterior: 2, tableInterior: 5, indexLeaf: 10, tableLeaf: 13 } as const;
const TYPES: ReadonlySet<number> = new Set(Object.values(Type));

/** @param usable bytes of a page that SQLite uses. Returns null when the number cannot be estimated. */
function estimatePages(read: ReadPage, root: number, usable: number, random: () => number): number | null {
  const pages = new Map<number, TreePage | null>();
  const pageAt = (number: number): TreePage | null => {
    const known = pages.get(number);
    if (known !== undefined) return known;
    const bytes = read(number);
    const page = bytes && parsePage(bytes, number === 1 ? 100 : 0, usable);
    pages.set(number, page);
    return page;
  };
  let sum = 0;
  for (let way = 0; way < WAYS; way++) {
    // Children of the root differ most, the last one above all: each way begins in a part of its own.
    const found = oneWay(pageAt, root, (way + random()) / WAYS, random);
    if (found === null) return null;
    if (found.isExact) return found.pages;
    sum += found.pages;
  }
  return Math.max(1, Math.round(sum / WAYS));
}

function oneWay(
  pageAt: (number: number) => TreePage | null,
  root: number,
  first: number,
  random: () => number,
): { readonly pages: number; readonly isExact: boolean } | null {
  let [number, weight, pages] = [root, 1, 0];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const page = pageAt(number);
    if (!page) return null;
    pages += weight * (1 + page.overflowPages);
    if (page.isLeaf) return { pages, isExact: depth === 0 };
    const child = page.childAt(Math.floor((depth === 0 ? first : random()) * page.children));
    if (child === null) return null;
    weight *= page.children;
    number = child;
  }
  return null;
}

interface TreePage {
  readonly isLeaf: boolean;
  readonly children: number;
  readonly overflowPages: number;
  childAt(index: number): number | null;
}

function parsePage(bytes: Uint8Array, at: number, usable: number): TreePage | null {
  const type = bytes[at] ?? 0;
  if (!TYPES.has(type)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLeaf = type === Type.indexLeaf || type === Type.tableLeaf;
  const cells = view.getUint16(at + 3);
  const pointers = at + (isLeaf ? 8 : 12);
  if (pointers + cells * 2 > bytes.length) return null;
  const cellAt = (index: number): number => view.getUint16(pointers + index * 2);
  let overflowPages = 0;
  if (type !== Type.tableInterior)
    for (let index = 0; index < cells; index++) {
      const payload = varint(bytes, cellAt(index) + (isLeaf ? 0 : 4));
      if (payload === null) return null;
      overflowPages += overflowOf(payload, usable, type === Type.tableLeaf);
    }
  return {
    isLeaf,
    children: isLeaf ? 0 : cells + 1,
    overflowPages,
    childAt(index) {
      const place = index === cells ? at + 8 : cellAt(index);
      return place + 4 <= bytes.length ? view.getUint32(place) : null;
    },
  };
}

/** sqlite.org/fileformat2.html#cell_payload_overflow_pages */
function overflowOf(payload: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload <= most) return 0;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const local = least + ((payload - least) % (usable - 4));
  return Math.ceil((payload - (local <= most ? local : least)) / (usable - 4));
}

function varint(bytes: Uint8Array, at: number): number | null {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 127);
    // No payload is larger than 2^31 bytes.
    if (value > 2 ** 31) return null;
    if (byte < 128) return value;
  }
  return null;
}
