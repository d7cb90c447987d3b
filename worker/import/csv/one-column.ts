// Whether lines are better left whole than split: a delimiter has to explain the file better than none does.
import { isData, type SampleRecord } from './sample-records.ts';

interface Lines {
  readonly records: readonly SampleRecord[];
  readonly problems: number;
}

interface SplitLines extends Lines {
  readonly delimiter: string;
  /** Number of fields that most records have, and number of those records. */
  readonly usual: number;
  readonly agreeing: number;
}

/** Found within names, dates, times, and addresses. */
export const LAST_RESORTS = new Set([' ', ':']);
/** One value each, although they contain what may delimit others. */
const VALUES = [
  // A date with a time, a time, an address on the web or of a network card, a number with blanks between its digits, a telephone number.
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[ T]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?([ap]\.?m\.?|z|[a-z]{3,4}|[+-]\d{2}:?(\d{2})?)){0,3}$/i,
  /^[+-]?\d{1,3}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]\.?m\.?)?$/i,
  /^[a-z][a-z0-9+.-]*:\/\/\S+$/i,
  /^[0-9a-f]{2}(:[0-9a-f]{2}){5,7}$/i,
  /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}(\/\d+)?$/i,
  /^[+-]?\d{1,3}([ \u00a0]\d{3})+([.,]\d+)?$/,
  /^(\+|00)\d[\d ()/-]+$/,
];
/** Within a line of a log. */
const CLOCK = /(?<!\d)([01]?\d|2[0-4]):[0-5]\d:[0-5]\d(?!\d)/;
const NEARLY_ALL = 0.8;
const RARE_AGREEMENT = 0.9;

const isValue = (text: string): boolean => VALUES.some((value) => value.test(text));
const share = <T>(all: readonly T[], holds: (one: T) => boolean): number =>
  all.length === 0 ? 0 : all.filter(holds).length / all.length;

/**
 * @param whole the same lines without a delimiter
 * @param isNamed the name of the file says that it has a delimiter
 */
export function isOneColumn(split: SplitLines, whole: Lines, isNamed: boolean): boolean {
  const { records, usual, agreeing, delimiter } = split;
  if (usual < 2) return false;
  // Each line is one quoted cell, which only another quote would take apart.
  if (whole.problems === 0 && share(whole.records, ({ quoted }) => quoted[0] === true) >= 0.5) return true;
  if (agreeing * 2 < records.length && !isNamed) return true;
  if (LAST_RESORTS.has(delimiter)) return !isLastResort(split, whole);
  if (isRare(delimiter)) return !isRareTable(split, whole);
  const [first, ...rest] = records;
  if (first?.texts.length !== 1 || rest.length === 0) return false;
  // One cell above several: a name, unless a table follows it, which has names of its own.
  if (share(rest, ({ texts }) => texts.length === usual) < NEARLY_ALL) return usual === 2 || !isNamed;
  return !isTable(rest, usual) && isName(first.texts[0]!) && (usual === 2 || isProse(rest));
}

/** Every line has the same number of fields, some column has values, and no line is one value as it stands. */
function isLastResort({ records, usual, agreeing, problems, delimiter }: SplitLines, whole: Lines): boolean {
  if (agreeing < records.length - (areNumbered(records, usual) ? 1 : 0) || problems > 0 || records.length < 2)
    return false;
  const lines = whole.records.map(({ texts }) => texts[0] ?? '');
  if (share(lines, isValue) >= 0.5) return false;
  if (delimiter === ':' && share(lines, (line) => CLOCK.test(line)) >= 0.5) return false;
  const rows = records.slice(1);
  const columns = Array.from({ length: usual }, (_, at) => rows.map(({ texts }) => texts[at]!));
  const typed = columns.filter((texts) => texts.every((text) => isData(text) || text === ''));
  // Ratios, scores and hours are of numbers only.
  return typed.length > 0 && (delimiter !== ':' || typed.length < usual);
}

/** The lines agree, each column has something to tell, and there are names, values, or several columns. */
function isRareTable({ records, usual, agreeing, delimiter }: SplitLines, whole: Lines): boolean {
  const agree = records.filter(({ texts }) => texts.length === usual);
  if (records.length < 2 || records[0] !== agree[0] || agreeing < RARE_AGREEMENT * records.length) return false;
  const lines = whole.records.map(({ texts }) => texts[0] ?? '');
  if (share(lines, isValue) >= 0.5) return false;
  const columns = Array.from({ length: usual }, (_, at) => agree.map(({ texts }) => texts[at]!));
  // Nothing else has one such sign between so many cells, of which some may be empty or the same in all lines.
  if (delimiter.length === 1 && isOnlyDelimiter(delimiter) && usual > 3) return true;
  // What is in front of every price, or behind it, is no delimiter.
  if (columns.some((texts) => texts.every((text) => text === ''))) return false;
  if (isTable(agree, usual)) return true;
  if (columns.some((texts) => texts.every((text) => text === texts[0]))) return false;
  const hasBlanks = share(columns.flat(), (text) => text !== text.trim()) >= 0.5;
  const areNames = agree[0]!.texts.every(isName);
  if (isOnlyDelimiter(delimiter)) return (usual > 2 || areNames) && !hasBlanks;
  // `std::chrono::seconds` is one name, which begins like others.
  return usual > 2 && !hasBlanks && !columns.some(([name, ...texts]) => isName(name!) && texts.includes(name!));
}

/** R writes names of rows in quotes, or their numbers, below a header row that has no name for them. */
function areNumbered([names, ...rows]: readonly SampleRecord[], usual: number): boolean {
  if (usual < 3 || names?.texts.length !== usual - 1) return false;
  return !names.quoted.includes(false) || rows.every(({ texts }, at) => texts[0] === String(at + 1));
}

/** The first record has names of columns, some of which are above values. */
function isTable([names, ...rows]: readonly SampleRecord[], usual: number): boolean {
  if (names!.texts.some((text) => isData(text.trim()))) return false;
  return Array.from({ length: usual }, (_, at) => rows.map(({ texts }) => (texts[at] ?? '').trim())).some(
    (texts) => texts.length > 0 && share(texts, isData) >= NEARLY_ALL,
  );
}

/** A name of a column rather than a title, which is a phrase. */
const isName = (text: string): boolean => /^[\p{L}_][\p{L}\p{N}_.-]{0,39}$/u.test(text.trim());

/** After each delimiter there is a blank, as in sentences. */
export const isProse = (records: readonly SampleRecord[]): boolean =>
  records.every(({ texts, quoted }) => texts.every((text, at) => at === 0 || (!quoted[at] && /^\s/.test(text))));

// Delimiters that hardly any program writes: `#`, `$`, `@`, `¬`, and several characters such as `|~|`. They are looked for only where nearly
// every line has them, the first one too.

/** All but the last are in addresses, prices, and words, too. */
const SINGLE = ['#', '$', '@', '¬'];
const RUN = /[|~^#$@:!*+&=§¦¬¶]{2,5}/g;
const BEGINNING_LINES = 100;
const MOST_RUNS = 4;
const NEARLY_ALL_LINES = 0.9;

/** @param sample text. @returns candidates, which have to explain the file (`one-column.ts`) */
export function rareDelimiters(sample: string): readonly string[] {
  const lines: string[] = [];
  for (const [line] of sample.matchAll(/[^\r\n]+/g)) if (lines.push(line) === BEGINNING_LINES) break;
  const [first = ''] = lines;
  const runs = [...new Set(Array.from(first.matchAll(RUN), ([run]) => run))]
    .filter((run) => isSymmetric(run) && !isAroundCells(run, lines))
    .slice(0, MOST_RUNS);
  return [...SINGLE.filter((one) => first.includes(one)), ...runs].filter(
    (delimiter) => lines.filter((line) => line.includes(delimiter)).length >= NEARLY_ALL_LINES * lines.length,
  );
}

/** In `5 $|6 $` and `a|#b`, signs of a cell are beside the delimiter. */
const isSymmetric = (run: string): boolean => [...run].reverse().join('') === run;

/** In `*a*|*b*` they are on both sides of it, and so they are at the ends of the line. */
const isAroundCells = (run: string, lines: readonly string[]): boolean =>
  lines.filter((line) => line.startsWith(run.at(-1)!) && line.endsWith(run[0]!)).length * 2 >= lines.length;

/** Written between cells by programs as a matter of habit. */
const USUAL = new Set([',', ';', '\t', '|', '¦', '§', '||', ';;', ':', ' ', '\x1f', '\x01', '\x14']);

const isRare = (delimiter: string): boolean => delimiter !== '' && !USUAL.has(delimiter);

/** No text has it, as prices have `$`, and names of programs `::`. */
const isOnlyDelimiter = (delimiter: string): boolean => /[|~^§¦¬¶]/.test(delimiter);
