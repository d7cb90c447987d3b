// Names of findings, what they mean, and what to do about them.
import type { FindingFact, Mend } from '#shared/protocol/index.ts';
import { formatCount, formatFixed, plural } from '../../ui/format.ts';
import type { PageCheck } from './health-view.ts';

export type Severity = 'problem' | 'warning' | 'hint';

interface KindLabels {
  readonly severity: Severity;
  readonly title: string;
  readonly meaning: string;
}

export const CHECK_TITLES: Readonly<Record<PageCheck, string>> = {
  structure: 'Indexes, keys, and statistics',
  keys: 'Foreign keys',
  values: 'Values and types',
  text: 'Text encoding',
  integrity: 'File integrity',
};

export const CHECK_MEANINGS: Readonly<Record<PageCheck, string>> = {
  structure: 'Reads the schema and the statistics each time this page opens.',
  keys: 'Looks for rows that refer to a row that does not exist.',
  values: 'Reads every row and compares each value with the type of its column.',
  text: 'Reads all text that is not plain ASCII.',
  integrity: 'SQLite’s own check of every page, table, and index.',
};

/** The keys are in display order. */
export const KINDS: Readonly<Record<FindingFact['kind'], KindLabels>> = {
  damage: {
    severity: 'problem',
    title: 'Damage',
    meaning:
      'SQLite’s integrity check reports these errors. Where only an index is affected, REINDEX rebuilds it. Otherwise export the tables that can still be read, or go back to a copy.',
  },
  unreadable: {
    severity: 'problem',
    title: 'Tables that cannot be read',
    meaning: 'SQLite reports an error when it reads them. Check the file integrity.',
  },
  'broken-key': {
    severity: 'problem',
    title: 'Broken foreign keys',
    meaning:
      'These rows refer to rows that do not exist. That happens while foreign keys are not enforced, which is the default of most programs.',
  },
  'key-mismatch': {
    severity: 'problem',
    title: 'Foreign keys that do not work',
    meaning:
      'The columns that the key refers to do not exist or are not unique, so SQLite rejects changes to these tables while foreign keys are enforced.',
  },
  'row-ids-ending': {
    severity: 'problem',
    title: 'Row ids about to run out',
    meaning:
      'The largest row id is close to the maximum. With AUTOINCREMENT, inserts fail when the maximum is reached; without it, SQLite tries random row ids.',
  },
  'not-utf8': {
    severity: 'problem',
    title: 'Text that is not UTF-8',
    meaning:
      'A program has stored text in another encoding. Comparisons and searches use its bytes as they are, and other programs may show replacement characters.',
  },
  'other-type': {
    severity: 'warning',
    title: 'Values that do not match their column type',
    meaning:
      'SQLite keeps a value as it is when it cannot be converted to the type of its column. Such values sort and compare differently from the others.',
  },
  'redundant-index': {
    severity: 'warning',
    title: 'Indexes that are not needed',
    meaning:
      'Another index can do everything that these do. They take space and slow down every change to their table.',
  },
  'key-without-index': {
    severity: 'warning',
    title: 'Foreign keys without an index',
    meaning:
      'Each time a row of the referenced table is deleted or its key changes, SQLite reads the whole table to find rows that refer to it.',
  },
  'no-statistics': {
    severity: 'hint',
    title: 'No statistics',
    meaning: 'Without them SQLite guesses how selective an index is, and may choose the wrong one.',
  },
  'unselective-index': {
    severity: 'hint',
    title: 'Indexes that are rarely chosen',
    meaning:
      'According to the statistics, so many rows share each value that reading the table is often faster. SQLite does not record which indexes are used, so Sidelite can’t tell whether a query depends on one of these.',
  },
  'no-primary-key': {
    severity: 'hint',
    title: 'Tables without a primary key',
    meaning:
      'Their rows are identified only by row id, which VACUUM may change, and nothing prevents duplicates. Adding a primary key requires rebuilding the table.',
  },
};

const STORED_AS = { integer: 'a whole number', real: 'a decimal number', text: 'text', blob: 'bytes' } as const;

export function findingText(finding: FindingFact): string {
  switch (finding.kind) {
    case 'damage':
      return finding.message;
    case 'unreadable':
    case 'key-mismatch':
      return `“${finding.table}”: ${finding.message}`;
    case 'broken-key':
      return `${plural(finding.rows, 'row')} of “${finding.table}”: ${columnsText(finding.columns)} ${finding.rows === 1 ? 'refers' : 'refer'} to no row of “${finding.parent}”`;
    case 'row-ids-ending':
      return `“${finding.table}”: ${formatFixed(finding.share * 100, 1)}% of all row ids are used up${finding.isAutoincrement ? ', and AUTOINCREMENT never reuses them' : ''}`;
    case 'not-utf8':
      return `${plural(finding.rows, 'value')} of “${finding.column}” in “${finding.table}”`;
    case 'other-type':
      return `${plural(finding.rows, 'value')} of “${finding.column}” in “${finding.table}” ${finding.rows === 1 ? 'is' : 'are'} stored as ${STORED_AS[finding.storage]}, but the column is declared ${finding.declaredType}`;
    case 'redundant-index':
      return `“${finding.index}” on “${finding.table}”: ${coveringText(finding.covering, finding.isSame)}`;
    case 'key-without-index':
      return `“${finding.table}”: ${columnsText(finding.columns)} → “${finding.parent}”`;
    case 'no-statistics':
      return statisticsText(finding.tables, finding.count);
    case 'unselective-index':
      return `“${finding.index}” on “${finding.table}”: ${formatCount(finding.rowsPerKey)} of ${plural(finding.rows, 'row')} share a value on average`;
    case 'no-primary-key':
      return `“${finding.table}”`;
  }
}

const columnsText = (columns: readonly string[]): string => columns.map((name) => `“${name}”`).join(', ');

function coveringText(covering: string | null, isSame: boolean): string {
  if (covering === null) return 'the table itself is stored in row id order';
  return isSame ? `“${covering}” is the same` : `“${covering}” begins with the same columns`;
}

function statisticsText(tables: readonly string[], count: number): string {
  const more = count > tables.length ? `, and ${formatCount(count - tables.length)} more` : '';
  return `${plural(count, 'table')}: ${columnsText(tables)}${more}`;
}

export const MEND_LABELS: Readonly<Record<Mend['does'], string>> = {
  'drop-index': 'Drop index',
  'create-index': 'Create index',
  analyze: 'Run ANALYZE',
  'set-null': 'Set to NULL',
  'delete-rows': 'Delete rows',
  'to-text': 'Store as text',
};

export function mendDone(finding: FindingFact, { does }: Mend): string {
  const table = 'table' in finding ? `“${finding.table}”` : 'the database';
  const index = 'index' in finding ? `“${finding.index}”` : 'index';
  switch (does) {
    case 'drop-index':
      return `The index ${index} was dropped.`;
    case 'create-index':
      return `An index was created on ${table}.`;
    case 'analyze':
      return 'Statistics were collected.';
    case 'set-null':
      return `Broken foreign keys of ${table} were set to NULL.`;
    case 'delete-rows':
      return `Rows of ${table} with broken foreign keys were deleted.`;
    case 'to-text':
      return `Values of ${table} are now stored as text.`;
  }
}

/** The table a finding is about; null if it is about several or none. */
export const tableOf = (finding: FindingFact): string | null => ('table' in finding ? finding.table : null);
