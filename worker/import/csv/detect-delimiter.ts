// Detects how to split the lines of a file: delimiter, quote, escape, comments, and lines before the table. Every candidate is tried on the
// sample.
import { counted } from '#shared/counted.ts';
import type { Evidence, ImportOptions } from '#shared/protocol/import.ts';
import type { CsvDialect } from './csv-dialect.ts';
import { isOneColumn, LAST_RESORTS, rareDelimiters } from './one-column.ts';
import { sampleRecords, type SampleRecord } from './sample-records.ts';
import { titleLines, type TitleLines } from './title-lines.ts';

interface DetectedDialect extends CsvDialect {
  readonly evidence: readonly Evidence[];
  /** Share of the records that have as many fields as most; 0 where nothing delimits them. */
  readonly certainty: number;
  /** Excludes skipped lines and comments. */
  readonly records: readonly SampleRecord[];
}

type Given = Partial<Pick<ImportOptions, 'delimiter' | 'quote' | 'escape' | 'skipsBlanks' | 'comment' | 'skipLines'>>;

interface Tried extends CsvDialect {
  readonly records: readonly SampleRecord[];
  /** Number of fields that most records have, and number of those records. */
  readonly usual: number;
  readonly agreeing: number;
  readonly problems: number;
  /** Share of all lines, those that cannot be read among them. */
  readonly share: number;
  /** Share of the cells that need no more splitting. */
  readonly clean: number;
  readonly score: number;
}

export const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'vertical bar', ':': 'colon', ' ': 'space', '¦': 'broken bar',
  '^': 'caret', '~': 'tilde', '||': 'double vertical bar', '::': 'double colon', ';;': 'double semicolon',
  '§': 'section sign', '\x1f': 'unit separator', '\x01': 'control character 1', '\x14': 'control character 20',
}; // prettier-ignore
/** Delimiters that also occur within text need more evidence (`one-column.ts`). */
const WEIGHTS: Readonly<Record<string, number>> = { ':': 0.4, ' ': 0.3, '#': 0.6, $: 0.6, '@': 0.6 };
const PAIRED = new Set(['|', ':', ';', '^', '~']);
const KNOWN = Object.keys(DELIMITER_NAMES).filter((name) => name.length === 1);
const COMMENTS = ['##', '#', '//', '%'];
const DEFAULT_QUOTE = '"';
/** Load files of legal documents: no other text has this letter beside this delimiter. */
const CONCORDANCE = { delimiter: '\x14', quote: 'þ' };
/** Signs that some programs write around texts, as tables of food and of chemicals do (`~a~^~b~^1`). */
const WRAPPING = ['þ', '~', '^', '|'];
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const ESCAPE = '\\';

/** @param text UTF-8. @param fileName its extension can suggest tabs. */
export function detectDelimiter(text: Uint8Array, fileName: string, given: Given): DetectedDialect {
  const separator = given.delimiter === undefined && given.skipLines === undefined ? separatorLine(text) : null;
  const skipLines = given.skipLines ?? (separator === null ? 0 : 1);
  const comment = given.comment ?? commentOf(text);
  const sample = new TextDecoder().decode(text);
  const delimiters = candidates(given.delimiter ?? separator, delimitersIn(sample), sample);
  const whole = wholeLines(text, given.quote, { comment, skipLines });
  const isGiven = given.delimiter !== undefined || separator !== null;
  // A name that suggests a delimiter outweighs lines that differ.
  const isNamed = /\.(csv|tsv|tab|psv)$/i.test(fileName);
  const isTabFile = /\.(tsv|tab)$/i.test(fileName);
  const attempt = (dialect: CsvDialect): Tried => tryDialect(text, dialect, isTabFile);
  const wrapping = given.quote === undefined ? wrappingQuote(text, sample, delimiters, { comment, skipLines }) : null;
  const quotes = wrapping === null ? quotesOf(sample, given) : [wrapping];
  const tries = delimiters
    .filter((delimiter) => isGiven || wrapping === null || !delimiter.includes(wrapping))
    .flatMap((delimiter) =>
      quotes.map((quote) => tryVariants({ delimiter, quote, comment, skipLines }, sample, given, attempt)),
    )
    .filter((tried) => given.quote !== undefined || explainsQuotes(tried))
    .filter((tried) => isGiven || !isOneColumn(tried, whole, isNamed));
  const best = tries.reduce((first, other) => (other.score > first.score ? other : first), isGiven ? tries[0]! : whole);
  const isUndelimited = best.usual < 2 && !isGiven;
  const chosen = isUndelimited ? whole : best;
  const title = given.skipLines === undefined && separator === null ? titleLines(chosen) : { count: 0, what: '' };
  const before = title.count;
  return {
    delimiter: chosen.delimiter,
    quote: chosen.quote,
    escape: chosen.escape ?? '',
    skipsBlanks: chosen.skipsBlanks ?? false,
    comment: chosen.comment,
    skipLines: chosen.skipLines + before,
    records: before > 0 ? chosen.records.filter(({ line }) => line > before) : chosen.records,
    certainty: isUndelimited || chosen.records.length === 0 ? 0 : chosen.agreeing / chosen.records.length,
    evidence: evidenceOf(chosen, title, separator, text),
  };
}

/** One character that is only within a longer delimiter is none, unless empty cells may be between three or more of it. */
function delimitersIn(sample: string): readonly string[] {
  const rare = rareDelimiters(sample);
  const longer = (delimiter: string): string =>
    rare.find(
      (run) =>
        run !== delimiter &&
        run.includes(delimiter) &&
        (run.length === 2 || run !== delimiter.repeat(run.length)) &&
        !sample.replaceAll(run, '').includes(delimiter),
    ) ?? delimiter;
  return [...new Set([...KNOWN.map(inTwos(sample)), ...rare].map(longer))];
}

/** A delimiter that always comes in pairs is one of two characters. */
const inTwos =
  (sample: string) =>
  (delimiter: string): string =>
    PAIRED.has(delimiter) && !sample.replaceAll(delimiter + delimiter, '').includes(delimiter)
      ? delimiter + delimiter
      : delimiter;

/** Lines that are left as they are, where quotes cannot be read as such. */
function wholeLines(
  text: Uint8Array,
  given: string | undefined,
  others: Pick<CsvDialect, 'comment' | 'skipLines'>,
): Tried {
  const read = (quote: string): Tried => tryDialect(text, { delimiter: '', quote, ...others }, false);
  const quoted = read(given ?? DEFAULT_QUOTE);
  return given === undefined && quoted.problems > 0 ? read('') : quoted;
}

function quotesOf(sample: string, { quote }: Given): readonly string[] {
  const usual = sample.includes(DEFAULT_QUOTE) ? [DEFAULT_QUOTE, '', "'"] : [DEFAULT_QUOTE, "'"];
  return candidates(quote, usual, sample);
}

/**
 * The sign around two texts or more of every row, of which no other cell has one; null where there is none. Blanks and colons do not prove it:
 * between two bars, a blank is an empty cell of Markdown.
 */
function wrappingQuote(
  text: Uint8Array,
  sample: string,
  delimiters: readonly string[],
  others: Pick<CsvDialect, 'comment' | 'skipLines'>,
): string | null {
  if (sample.includes(CONCORDANCE.quote + CONCORDANCE.delimiter)) return CONCORDANCE.quote;
  const wraps = (quote: string, delimiter: string): boolean => {
    if (LAST_RESORTS.has(delimiter) || delimiter.includes(quote) || !sample.includes(quote + delimiter + quote))
      return false;
    const { records, problems } = sampleRecords(text, { delimiter, quote, ...others });
    return problems === 0 && areWrapped(records, { delimiter, quote });
  };
  return WRAPPING.find((quote) => delimiters.some((delimiter) => wraps(quote, delimiter))) ?? null;
}

function areWrapped(
  records: readonly SampleRecord[],
  { delimiter, quote }: Pick<CsvDialect, 'delimiter' | 'quote'>,
): boolean {
  const rows = records.slice(1);
  const isClean = records.every(({ texts, quoted }) =>
    texts.every((cell, at) => !cell.includes(quoted[at] ? delimiter + quote : quote)),
  );
  if (!isClean || rows.length === 0 || !rows.every(({ quoted }) => quoted.filter(Boolean).length > 1)) return false;
  // `^_^`, `||` and `~~` are texts of their own.
  const wrapped = rows.flatMap(({ texts, quoted }) => texts.filter((cell, at) => quoted[at] && cell !== ''));
  return wrapped.filter((cell) => LETTER_OR_DIGIT.test(cell)).length * 2 > wrapped.length;
}

/**
 * Apostrophes are quotes where a cell needs them, or where all cells of a column have them; otherwise they are text.
 */
function explainsQuotes({ quote, delimiter, records }: Tried): boolean {
  if (quote !== "'") return true;
  const isNeeded = (text: string): boolean =>
    [delimiter, quote, '\n', '\r'].some((part) => part !== '' && text.includes(part));
  const [, ...rows] = records;
  const columns = records[0]?.texts.length ?? 0;
  for (let column = 0; column < columns; column++) {
    const filled = rows.filter(({ texts }) => (texts[column] ?? '') !== '');
    const inQuotes = filled.filter(({ quoted }) => quoted[column] === true);
    if (inQuotes.length === 0) continue;
    if (inQuotes.length < filled.length && !inQuotes.some(({ texts }) => isNeeded(texts[column]!))) return false;
  }
  return true;
}

/** The chosen candidate, or those that occur in the sample; the first one in any case. */
function candidates(chosen: string | null | undefined, all: readonly string[], sample: string): readonly string[] {
  return chosen == null ? all.filter((one, at) => at === 0 || sample.includes(one)) : [chosen];
}

/** With an escape, or blanks after delimiters, only where more lines agree, or more cells are clean, than without. */
function tryVariants(
  { delimiter, quote, ...others }: CsvDialect,
  sample: string,
  given: Given,
  attempt: (dialect: CsvDialect) => Tried,
): Tried {
  const variant = (escape: string, skipsBlanks: boolean): Tried =>
    attempt({ delimiter, quote, escape, skipsBlanks, ...others });
  const mayEscape = [delimiter, quote, '\n', '\r'].some((text) => text !== '' && sample.includes(ESCAPE + text));
  const escapes = given.escape === undefined ? (mayEscape ? ['', ESCAPE] : ['']) : [given.escape];
  const narrow = sample.replaceAll(/ +/g, ' ');
  const areBlanks = [`${delimiter} ${quote}`, ...[delimiter, '\n', '\r'].map((end) => `${quote} ${end}`)].some((text) =>
    narrow.includes(text),
  );
  const mayBeBlank = quote !== '' && delimiter !== '' && delimiter !== ' ' && areBlanks;
  const blanks = given.skipsBlanks === undefined ? (mayBeBlank ? [false, true] : [false]) : [given.skipsBlanks];
  return escapes
    .flatMap((escape) => blanks.map((skipsBlanks) => variant(escape, skipsBlanks)))
    .reduce((best, other) =>
      other.share > best.share || (other.share === best.share && other.clean > best.clean) ? other : best,
    );
}

function tryDialect(text: Uint8Array, dialect: CsvDialect, isTabFile: boolean): Tried {
  const { records, problems } = sampleRecords(text, dialect);
  const counts = new Map<number, number>();
  for (const { texts } of records) counts.set(texts.length, (counts.get(texts.length) ?? 0) + 1);
  let [usual, agreeing] = [0, 0];
  for (const [count, of] of counts)
    if (of > agreeing || (of === agreeing && count > usual)) [usual, agreeing] = [count, of];
  const share = records.length === 0 ? 0 : agreeing / (records.length + problems);
  const weight = (WEIGHTS[dialect.delimiter] ?? 1) * (isTabFile && dialect.delimiter === '\t' ? 1.5 : 1);
  const clean = cleanShare(records, dialect);
  // Unusual quotes are chosen only where they explain more.
  const habit = dialect.quote === DEFAULT_QUOTE ? 1 : dialect.quote === '' ? 0.97 : 0.96;
  const score = usual < 2 ? 0.0001 * habit * share : share * share * (1 - 1 / usual) * weight * clean * habit;
  return { ...dialect, records, problems, usual, agreeing, share, clean, score };
}

const NUMBER = /^[+-]?\d+([.,]\d+)*$/;
const OTHERS = /[,;\t|]/;

/** Fields that do not look as if they still had to be split, or had quotes at only one end. */
function cleanShare(records: readonly SampleRecord[], { quote, escape = '', delimiter }: CsvDialect): number {
  let clean = 0;
  let all = 0;
  for (const { texts, quoted } of records.slice(0, 100)) {
    for (const [at, text] of texts.entries()) {
      if (text === '') continue;
      all++;
      const isWrapped = quote !== "'" && /^'.*'$/s.test(text);
      const isQuoteLeft = !quoted[at] && (/^".*"$/s.test(text) || isWrapped || /^"|[^"]"$/.test(text));
      // A delimiter that was escaped is text.
      const others = escape === '' ? text : text.replaceAll(delimiter, '');
      if (!isQuoteLeft && (quoted[at] || NUMBER.test(text) || !OTHERS.test(others))) clean++;
    }
  }
  return all === 0 ? 1 : 0.2 + (0.8 * clean) / all;
}

/** `sep=;`, which spreadsheets write. */
function separatorLine(text: Uint8Array): string | null {
  const first = new TextDecoder().decode(text.subarray(0, 16));
  return /^"?sep=(.)"?[\r\n]/i.exec(first)?.[1] ?? null;
}

/** Lines at the beginning, however many, or some within, that begin with a mark. */
function commentOf(text: Uint8Array): string {
  const lines = new TextDecoder().decode(text).split(/\r\n|\r|\n/);
  const filled = lines.filter((line) => line !== '');
  for (const mark of COMMENTS) {
    const marked = filled.filter((line) => line.startsWith(mark));
    const areFirst =
      filled.length > marked.length && filled.slice(0, marked.length).every((line) => line.startsWith(mark));
    // Below lines with two number signs, one with one is the header row.
    if (mark === '##' && !/^#[^#]/.test(filled[marked.length] ?? '')) continue;
    if (marked.length === 0 || (marked.length > filled.length / 2 && !areFirst)) continue;
    // A header row may begin with a number sign: it has the delimiters of the line after it.
    const delimiters = (line: string): number => line.split(/[,;\t|]/).length;
    const usual = delimiters(filled.find((line) => !line.startsWith(mark)) ?? '');
    const isHeader = marked.length === 1 && filled[0] === marked[0] && usual > 1 && delimiters(marked[0]!) === usual;
    if (!isHeader && marked.every((line) => usual < 2 || delimiters(line) !== usual || /^(#|\/\/|%)\s/.test(line)))
      return mark;
  }
  return '';
}

function evidenceOf(
  chosen: Tried,
  { count: before, what }: TitleLines,
  separator: string | null,
  text: Uint8Array,
): readonly Evidence[] {
  const { delimiter, quote, escape = '', skipsBlanks = false, comment, records, usual, agreeing } = chosen;
  const evidence: Evidence[] = [];
  if (separator !== null) evidence.push({ option: 'delimiter', reason: 'The first line says so.', line: 1 });
  else if (delimiter === '')
    evidence.push({
      option: 'delimiter',
      reason: 'No delimiter appears the same number of times in most lines, so there is one column.',
    });
  else evidence.push(delimiterEvidence(chosen, before));
  const inQuotes = records.find(({ quoted }) => quoted.includes(true));
  if (inQuotes && quote !== '')
    evidence.push({
      option: 'quote',
      reason: 'There are cells in quotes.',
      line: inQuotes.line,
    });
  else if (quote === '')
    evidence.push({ option: 'quote', reason: 'Quotes in the text are not paired, so they are text.' });
  else
    evidence.push({
      option: 'quote',
      reason: `No cell is quoted in ${records.length === agreeing && usual > 0 ? 'these lines' : 'the beginning'}; this is the usual quote.`,
    });
  if (escape !== '')
    evidence.push({ option: 'escape', reason: 'A backslash before a quote or a delimiter makes it part of the text.' });
  if (skipsBlanks) evidence.push({ option: 'skipsBlanks', reason: 'There are blanks between delimiters and quotes.' });
  if (comment !== '') {
    const lines = new TextDecoder().decode(text).split(/\r\n|\r|\n/);
    const marked = lines.flatMap((line, at) => (line.startsWith(comment) ? [at + 1] : []));
    evidence.push({
      option: 'comment',
      reason: `${counted(marked.length, 'line')} ${marked.length === 1 ? 'begins' : 'begin'} with “${comment}”.`,
      line: marked[0]!,
    });
  }
  if (before > 0)
    evidence.push({
      option: 'skipLines',
      reason: `The first ${before === 1 ? 'line has' : `${amount(before)} lines have`} ${what}.`,
      line: before + 1,
    });
  return evidence;
}

function delimiterEvidence({ delimiter, records, usual, agreeing }: Tried, before: number): Evidence {
  const name = DELIMITER_NAMES[delimiter] ?? `“${delimiter}”`;
  const times = usual - 1;
  const how = `${amount(times)} ${DELIMITER_NAMES[delimiter] !== undefined && times !== 1 ? `${name}s` : name} outside quotes`;
  const line = records.find(({ texts }) => texts.length === usual)?.line ?? before + 1;
  const lines = records.length;
  if (agreeing === lines) {
    const all = lines === 1 ? 'The only line has' : lines === 2 ? 'Both lines have' : `All ${amount(lines)} lines have`;
    return { option: 'delimiter', reason: `${all} ${how}.`, line };
  }
  return { option: 'delimiter', reason: `${amount(agreeing)} of ${amount(lines)} lines have ${how}.`, line };
}

const amount = (count: number): string => count.toLocaleString('en-US');
