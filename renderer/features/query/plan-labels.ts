// Explains the lines of EXPLAIN QUERY PLAN, and marks those that deserve attention (sqlite.org/eqp.html).
import type { PlanLine } from '#shared/protocol/index.ts';

export interface PlanStep {
  readonly id: number;
  readonly depth: number;
  /** The text of SQLite. */
  readonly detail: string;
  readonly meaning: string;
  /** `slow`: often avoidable by an index. */
  readonly tone: 'plain' | 'good' | 'slow';
  /** The alias or table that is read, as the statement calls it. */
  readonly source: string | null;
  readonly cost: number | null;
}

export function planSteps(lines: readonly PlanLine[]): readonly PlanStep[] {
  const depths = new Map<number, number>();
  return lines.map(({ id, parent, detail, cost }) => {
    const depth = depths.has(parent) ? depths.get(parent)! + 1 : 0;
    depths.set(id, depth);
    return { id, depth, detail, cost, ...meaningOf(detail) };
  });
}

/** Servers do not report the estimates of their planner. */
export const hasCosts = (steps: readonly PlanStep[]): boolean => steps.some(({ cost }) => cost !== null);

type Meaning = Pick<PlanStep, 'meaning' | 'tone' | 'source'>;

const plain = (meaning: string): Meaning => ({ meaning, tone: 'plain', source: null });

function meaningOf(detail: string): Meaning {
  const [first = ''] = detail.split(' ');
  if (first === 'SCAN') return meaningOfScan(detail);
  if (first === 'SEARCH') return meaningOfSearch(detail);
  if (first === 'USE') return meaningOfSort(detail);
  for (const [start, meaning] of OTHERS) if (detail.startsWith(start)) return plain(meaning);
  return plain('');
}

const OTHERS: readonly (readonly [string, string])[] = [
  ['MULTI-INDEX OR', 'Reads one index for each term of OR, and each row once'],
  ['INDEX ', 'One term of the OR'],
  ['COMPOUND QUERY', 'Combines the SELECTs below'],
  ['LEFT-MOST SUBQUERY', 'The first SELECT'],
  ['RIGHT-JOIN', 'Adds the rows without a match'],
  ['MERGE', 'Merges SELECTs that have the same order'],
  ['LEFT', 'The SELECT before the operator'],
  ['RIGHT', 'The SELECT after the operator'],
  ['UNION ALL', 'Adds the rows of the next SELECT'],
  ['UNION', 'Adds the rows of the next SELECT, without duplicates'],
  ['INTERSECT', 'Keeps only rows that the next SELECT also returns'],
  ['EXCEPT', 'Removes rows that the next SELECT returns'],
  ['CORRELATED', 'Runs again for each row of the outer query'],
  ['SCALAR SUBQUERY', 'Runs once'],
  ['LIST SUBQUERY', 'Runs once, and its rows are kept for IN'],
  ['REUSE LIST SUBQUERY', 'Reuses the rows kept for IN'],
  ['CO-ROUTINE', 'Runs row by row as its rows are read'],
  ['MATERIALIZE', 'Runs once, and its rows are kept'],
  ['SETUP', 'The rows the recursion starts with'],
  ['RECURSIVE STEP', 'Runs for each row returned so far'],
  ['BLOOM FILTER', 'Rules out most rows without a match in advance'],
];

function meaningOfScan(detail: string): Meaning {
  if (detail === 'SCAN CONSTANT ROW') return plain('One row of constants');
  const source = nameIn(detail);
  if (detail.includes('VIRTUAL TABLE')) return { meaning: 'Queries the virtual table', tone: 'plain', source };
  const index = indexIn(detail);
  if (detail.includes('COVERING INDEX'))
    return { meaning: `Reads every entry of index ${index} without reading the table`, tone: 'slow', source };
  if (index !== null) return { meaning: `Reads every row, in the order of index ${index}`, tone: 'slow', source };
  return { meaning: 'Reads every row', tone: 'slow', source };
}

function meaningOfSearch(detail: string): Meaning {
  const source = nameIn(detail);
  const terms = /\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(detail)?.[1] ?? '';
  if (detail.includes(' AUTOMATIC '))
    return { meaning: `Builds an index for this query alone, then finds rows by ${terms}`, tone: 'slow', source };
  if (detail.includes('USING INTEGER PRIMARY KEY')) return { meaning: `Finds rows by ${terms}`, tone: 'good', source };
  const index = indexIn(detail);
  const without = detail.includes('COVERING INDEX') ? ' without reading the table' : '';
  if (index !== null) return { meaning: `Finds rows by ${terms} in index ${index}${without}`, tone: 'good', source };
  return { meaning: terms === '' ? 'Finds rows' : `Finds rows by ${terms}`, tone: 'good', source };
}

function meaningOfSort(detail: string): Meaning {
  const purpose = /FOR ([^]*)$/.exec(detail)?.[1] ?? 'the result';
  return { meaning: `Sorts all rows for ${purpose}, because no index provides that order`, tone: 'slow', source: null };
}

/** SQLite prints names unquoted, including spaces. */
const nameIn = (detail: string): string | null =>
  /^(?:SCAN|SEARCH) (.+)$/.exec(detail)?.[1]?.split(/ (?:USING|VIRTUAL TABLE|LEFT-JOIN|EXISTS)\b/, 1)[0] ?? null;

function indexIn(detail: string): string | null {
  const words = /USING (?:COVERING )?INDEX /.exec(detail);
  const name = words && detail.slice(words.index + words[0].length);
  if (!name) return null;
  const end = name.endsWith(')') ? name.indexOf(' (', 1) : -1;
  return end < 0 ? name : name.slice(0, end);
}
