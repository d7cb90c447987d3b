// Finds the lines of a title above the table: they have fewer cells than nearly all others, or text in only one of them.
import { isData, type SampleRecord } from './sample-records.ts';

const MOST_LINES = 20;
/** Share of the records below the title that must have the usual number of cells. */
const NEARLY_ALL = 0.8;

export interface TitleLines {
  /** Number of lines before the table. */
  readonly count: number;
  /** What sets them apart. */
  readonly what: string;
}

const NONE: TitleLines = { count: 0, what: '' };
const FEWER = 'fewer cells than the others';
const PADDED = 'text in one cell at most, above the names of the columns';
const FACTS = 'empty cells, and a blank line below, above the names of the columns';

interface Split {
  readonly records: readonly SampleRecord[];
  readonly delimiter: string;
  /** Number of fields that most records have, and number of those records. */
  readonly usual: number;
  readonly agreeing: number;
}

export function titleLines({ records, usual, agreeing, delimiter }: Split): TitleLines {
  if (delimiter === '' || usual < 2 || agreeing < 2) return NONE;
  const wide = records.findIndex(({ texts }) => texts.length >= usual);
  const first = afterPadded(records, Math.max(0, wide), usual);
  const arePadded = first > wide;
  const table = first > 0 ? 0 : belowFacts(records, usual);
  if (table > 0) return { count: records[table]!.line - 1, what: FACTS };
  if (first <= 0 || first > MOST_LINES) return NONE;
  if (!arePadded && agreeing < (records.length - first) * NEARLY_ALL) return NONE;
  // A header row that lacks the name of the first column is not a title.
  if (first === 1 && usual > 2 && records[0]!.texts.length === usual - 1) return NONE;
  return { count: records[first]!.line - 1, what: arePadded ? PADDED : FEWER };
}

/** Index of the header row below facts about the table, such as the number of a bank account, and a blank line; 0 if there are none. */
function belowFacts(records: readonly SampleRecord[], usual: number): number {
  const table = records.findIndex(({ line }, at) => at > 0 && line > endLine(records[at - 1]!) + 1);
  const [above, below] = [records.slice(0, table), records.slice(table + 1)];
  if (table < 1 || table > MOST_LINES || below.length === 0 || !isHeader(records[table]!.texts, usual)) return 0;
  if (!above.every(({ texts }) => texts.length < usual || texts.includes(''))) return 0;
  const isTyped = (column: number): boolean =>
    below.filter(({ texts }) => isData(texts[column] ?? '')).length >= below.length * NEARLY_ALL;
  return records[table]!.texts.some((_, column) => isTyped(column)) ? table : 0;
}

const endLine = ({ line, texts }: SampleRecord): number =>
  texts.reduce((end, text) => end + text.split(/\r\n|\r|\n/).length - 1, line);

/** Index of the header row below lines that spreadsheets have filled up with empty cells; `from` if there are none. */
function afterPadded(records: readonly SampleRecord[], from: number, usual: number): number {
  // In a row of two cells, one may well be empty.
  if (usual < 3) return from;
  const header = records.findIndex(({ texts }, at) => at >= from && !isTitle(texts));
  if (header <= from || !isHeader(records[header]!.texts, usual)) return from;
  const below = records.slice(header + 1);
  return below.filter(({ texts }) => !isTitle(texts)).length >= below.length * NEARLY_ALL && below.length > 0
    ? header
    : from;
}

/** Whether there is text in one cell at most, and no value. */
function isTitle(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '');
  return filled.length === 0 || (filled.length === 1 && !isData(filled[0]!));
}

/** Whether each cell has a name of its own, except for the last ones, which may be empty. */
function isHeader(texts: readonly string[], usual: number): boolean {
  const names = [...texts];
  while (names.at(-1)?.trim() === '') names.pop();
  if (texts.length !== usual || names.length < 2 || new Set(names).size < names.length) return false;
  return !names.some((text) => text.trim() === '' || isData(text));
}
