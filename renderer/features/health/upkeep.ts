// ANALYZE, VACUUM, REINDEX and PRAGMA optimize: what is run, what it gains, how long it may take, and its result.
import { quoteName } from '#shared/ddl/names.ts';
import { capabilitiesOf, type DatabaseId, type HealthOverview, type SizesReply } from '#shared/protocol/index.ts';
import { formatBytes, formatDuration, plural } from '../../ui/format.ts';
import type { UpkeepKind, UpkeepResult } from './health-view.ts';

interface Upkeep {
  readonly title: string;
  readonly button: string;
  readonly running: string;
  readonly meaning: string;
}

export const UPKEEP: Readonly<Record<UpkeepKind, Upkeep>> = {
  vacuum: {
    title: 'Compact',
    button: 'Run VACUUM',
    running: 'Compacting the file',
    meaning:
      'Rewrites the whole file: free pages are returned to the disk, and each table and index becomes contiguous. Nothing else can use the database while it runs.',
  },
  analyze: {
    title: 'Collect statistics',
    button: 'Run ANALYZE',
    running: 'Collecting statistics',
    meaning: 'Reads every index and records how selective it is, so that SQLite can choose the right one.',
  },
  reindex: {
    title: 'Rebuild indexes',
    button: 'Run REINDEX',
    running: 'Rebuilding indexes',
    meaning:
      'Rebuilds every index from its table. Needed when a collation has changed, or when an index is damaged but its table is not.',
  },
  optimize: {
    title: 'Optimize',
    button: 'Run PRAGMA optimize',
    running: 'Optimizing',
    meaning: 'Lets SQLite decide what is worth analyzing now. It is quick, even for large files.',
  },
};

/** Can stop between two statements, and knows how many are done. With more tables, one statement is faster. */
const MAX_STATEMENTS = 1000;

export function upkeepSql(kind: UpkeepKind, { trees }: HealthOverview): readonly string[] {
  if (kind === 'vacuum') return ['VACUUM'];
  // Attached files are not maintained.
  if (kind === 'optimize') return ['PRAGMA main.optimize'];
  const verb = kind === 'analyze' ? 'ANALYZE' : 'REINDEX';
  const indexed = new Set(trees.filter((tree) => tree.kind === 'index').map(({ table }) => table));
  const tables = trees.filter((tree) => tree.kind === 'table' && !tree.name.startsWith('sqlite_'));
  const wanted = kind === 'analyze' ? tables : tables.filter(({ name }) => indexed.has(name));
  if (wanted.length === 0 || wanted.length > MAX_STATEMENTS) return [kind === 'analyze' ? 'ANALYZE main' : verb];
  return wanted.map(({ name }) => `${verb} main.${quoteName(name)}`);
}

export function expectedGain(kind: UpkeepKind, overview: HealthOverview, sizes: SizesReply | null): string {
  if (kind === 'vacuum') return gainOfVacuum(overview, sizes);
  if (kind === 'analyze') {
    const { tables, analyzed } = overview.statistics;
    if (tables === 0) return 'No table has an index, so there are no statistics to collect.';
    return analyzed === tables
      ? `${plural(tables, 'table')} with indexes ${tables === 1 ? 'has' : 'have'} statistics. SQLite does not record how old they are.`
      : `${plural(tables - analyzed, 'table')} of ${tables} with indexes ${tables - analyzed === 1 ? 'has' : 'have'} no statistics.`;
  }
  if (kind === 'reindex') {
    const indexes = overview.trees.filter((tree) => tree.kind === 'index').length;
    return indexes === 0
      ? 'There are no indexes.'
      : `${plural(indexes, 'index', 'indexes')}. Rebuilding healthy indexes only saves a little space.`;
  }
  return overview.optimize.length === 0
    ? 'SQLite finds nothing to do right now.'
    : `SQLite would analyze ${plural(overview.optimize.length, 'table')}.`;
}

function gainOfVacuum({ freePages, pageSize }: HealthOverview, sizes: SizesReply | null): string {
  const free = freePages * pageSize;
  const freeText =
    free === 0 ? 'There are no free pages.' : `${formatBytes(free)} of free pages would be returned to the disk.`;
  if (!sizes) return freeText;
  const unused = sizes.trees.reduce((sum, { detail }) => sum + (detail?.unusedBytes ?? 0), 0);
  return `${freeText} Another ${formatBytes(unused)} are unused inside pages, and part of that would be too.`;
}

/**
 * Multiples of the time to count all pages of the file, rounded. Measured once each on a busy machine: 154 MB in memory on the library's
 * engine, 1.06 GB on the native one.
 */
const TIMES_COUNTING: Readonly<Record<'library' | 'native', Readonly<Record<UpkeepKind, number | null>>>> = {
  library: { analyze: 0.5, reindex: 3, vacuum: 3.5, optimize: null },
  native: { analyze: 1.5, reindex: 7, vacuum: 7, optimize: null },
};

/** Rough duration, based on how long counting this file took; null if that is unknown. */
export function expectedMs(kind: UpkeepKind, sizes: SizesReply | null, database: DatabaseId): number | null {
  const times = TIMES_COUNTING[capabilitiesOf(database).inPlace ? 'native' : 'library'][kind];
  return sizes && times !== null ? sizes.timeMs * times : null;
}

export function resultText({ kind, timeMs, before, after }: UpkeepResult): string {
  const took = formatDuration(timeMs);
  if (kind === 'vacuum') {
    const [was, is] = [before.pages * before.pageSize, after.pages * after.pageSize];
    const change =
      was === is
        ? `The file is still ${formatBytes(is)}.`
        : `The file went from ${formatBytes(was)} to ${formatBytes(is)}.`;
    return `VACUUM took ${took}. ${change}`;
  }
  if (kind === 'reindex') return `REINDEX took ${took}. Every index was rebuilt.`;
  const verb = kind === 'analyze' ? 'ANALYZE' : 'PRAGMA optimize';
  const { tables, analyzed } = after.statistics;
  return `${verb} took ${took}. ${analyzed} of ${plural(tables, 'table')} with indexes ${analyzed === 1 && tables === 1 ? 'has' : 'have'} statistics; before, ${before.statistics.analyzed} had.`;
}
