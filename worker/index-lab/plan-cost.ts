// Cost of a whole statement, estimated from the lines of its plan: SQLite reports what one run of each loop costs, not how often it runs.
import type { PlanLine } from '#shared/protocol/query.ts';

/** Rows, then rows for each value of the first column, of the first two, …, as in `sqlite_stat1` (sqlite.org/fileformat2.html#stat1tab). */
export type IndexStatistics = ReadonlyMap<string, readonly number[]>;

/** SQLite takes a full row of a scan for about three steps (`whereLoopAddBtree`). */
const STEPS_PER_ROW = 3;
/** A range keeps a quarter of the rows (`whereRangeScanEst` without samples). */
const RANGE_SHARE = 0.25;
/** An automatic index costs that many steps for each row and level (`whereLoopAddBtree`). */
const AUTOMATIC_STEPS = 7;

interface Sum {
  readonly cost: number;
  readonly rows: number;
}

/** @param statistics of indexes by name, as far as they are known */
export function planCost(lines: readonly PlanLine[], statistics: IndexStatistics): number {
  return costOf(lines, 0, statistics).cost;
}

/** Loops of one parent are nested in their order, so each runs once for each row of the preceding ones. */
function costOf(lines: readonly PlanLine[], parent: number, statistics: IndexStatistics): Sum {
  let cost = 0;
  let rows = 1;
  for (const line of lines) {
    if (line.parent !== parent) continue;
    const inner = costOf(lines, line.id, statistics);
    if (line.detail.startsWith('USE TEMP B-TREE')) cost += sortCost(rows);
    else if (line.detail.startsWith('MULTI-INDEX OR')) {
      cost += rows * inner.cost;
      rows *= Math.max(1, inner.rows);
    } else if (line.cost !== null) {
      cost += setUpCost(line) + rows * (line.cost + inner.cost);
      rows *= rowsOf(line, statistics);
    } else {
      // A subquery runs once, or once for each row if it is correlated.
      cost += (line.detail.startsWith('CORRELATED') ? rows : 1) * inner.cost;
      if (line.detail.startsWith('INDEX ')) rows += inner.rows;
    }
  }
  return { cost, rows };
}

const sortCost = (rows: number): number => STEPS_PER_ROW * rows * Math.log2(rows + 1);

/** The rows that one run of a loop returns. */
function rowsOf({ detail, cost }: PlanLine, statistics: IndexStatistics): number {
  const byCost = Math.max(1, (cost ?? 1) / STEPS_PER_ROW);
  if (detail.includes('(rowid=?)')) return 1;
  const words = /USING (?:COVERING )?INDEX /.exec(detail);
  if (!words || !detail.endsWith(')')) return byCost;
  const rest = detail.slice(words.index + words[0].length);
  const end = rest.indexOf(' (', 1);
  const stat = statistics.get(rest.slice(0, end));
  if (!stat || end < 0) return byCost;
  const terms = rest.slice(end + 2, -1).split(' AND ');
  const equal = terms.filter((term) => /[^<>]=\?$/.test(term) || term.startsWith('ANY(')).length;
  const ranges = terms.length - equal;
  const skipped = terms.filter((term) => term.startsWith('ANY(')).length;
  const perKey = stat[equal] ?? 1;
  // Each value of the skipped columns is searched for the columns after them.
  const keys = skipped > 0 ? (stat[0] ?? 1) / Math.max(1, stat[skipped] ?? 1) : 1;
  return Math.max(1, perKey * keys * RANGE_SHARE ** ranges);
}

function setUpCost({ detail, cost }: PlanLine): number {
  if (!detail.includes(' AUTOMATIC ')) return 0;
  const rows = (cost ?? 1) ** 2;
  return AUTOMATIC_STEPS * rows * Math.log2(rows + 1);
}
