// The first figures of a database, computed within a moment however large it is.
import type { HealthOverview } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { createRandom } from '#shared/random.ts';
import { readSettings } from './settings.ts';
import { statisticsOf } from './statistics.ts';
import { estimatePages } from './tree-estimate.ts';
import { fileSize } from './tree-sizes.ts';
import { listTrees } from './trees.ts';

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
      .all('SELECT * FROM pragma_optimize(-1)')
      .slice(0, MAX_OPTIMIZE_LINES)
      .map(([sql]) => String(sql));
  } catch {
    // SQLite reports nothing for a schema with errors in it; the checks say what is wrong.
    return [];
  }
}
