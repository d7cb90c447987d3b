// Counts what the columns of a file hold, over all of its records, without making strings, as the basis for suggesting types.
import type { ColumnFacts, ImportAnalysis } from '#shared/protocol/import.ts';
import { nullWords } from '#shared/import/null-tokens.ts';
import { isAt } from '../../records/bytes.ts';
import { FIELD, type RecordBatch, type RecordProblem, type RecordReader } from '../../records/record-batch.ts';
import { CLASS, CLASSES, DATE_FORMATS, GROUPED, MARKS, YEAR_LAST, isDouble } from './classes.ts';
import { type Counts, type ShownCounts, suggestType, type FactOptions } from './suggest-type.ts';
import { classOf } from './field-class.ts';

// One pass over a whole file that counts what its columns hold.

/** @param report after each batch, with the bytes of the file that are read; what it throws ends the pass */
export async function countFacts(
  reader: RecordReader,
  options: FactOptions,
  report: (bytesRead: number) => Promise<void> | void,
): Promise<ImportAnalysis> {
  const count = new AnalysisCount(options);
  for (;;) {
    const batch = await reader.next();
    count.add(batch, reader.takeProblems());
    // They do not matter here; the import reports them.
    reader.takeNotices?.();
    if (batch === null) return count.analysis(reader.columns);
    await report(reader.bytesRead);
  }
}

/** An analysis that grows batch by batch. */
export class AnalysisCount {
  readonly #counter: FactCounter;
  #problems = 0;
  #firstProblem: ImportAnalysis['firstProblem'] = null;

  constructor(options: FactOptions) {
    this.#counter = new FactCounter(options);
  }

  /** @param unread problems of the reader since the last batch */
  add(batch: RecordBatch | null, unread: readonly RecordProblem[]): void {
    this.#problems += unread.length;
    if (this.#firstProblem === null && unread[0])
      this.#firstProblem = { line: unread[0].line, reason: unread[0].reason };
    if (batch !== null) this.#counter.add(batch);
  }

  /** @param columns of the reader by now */
  facts(columns: readonly string[]): readonly ColumnFacts[] {
    return this.#counter.facts(columns);
  }

  analysis(columns: readonly string[]): ImportAnalysis {
    return {
      records: this.#counter.records,
      columns: this.facts(columns),
      problems: this.#problems,
      firstProblem: this.#firstProblem,
    };
  }
}

// Texts that mean NULL, recognized as bytes.
class NullTokens {
  readonly #tokens: readonly Uint8Array[];
  /** A bit for each length there is; 31 is that long or longer. */
  #lengths = 0;

  constructor(tokens: readonly string[]) {
    const encoder = new TextEncoder();
    this.#tokens = nullWords(tokens).map((token) => encoder.encode(token));
    for (const { length } of this.#tokens) this.#lengths |= 1 << Math.min(length, 31);
  }

  /** Quickly false for nearly all texts. */
  mayBe(length: number): boolean {
    return (this.#lengths & (1 << (length < 31 ? length : 31))) !== 0;
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    for (const token of this.#tokens) if (token.length === end - start && isAt(bytes, start, token)) return true;
    return false;
  }
}

/** Counters of a column: first one for each {@link CLASS}, then these, and last the longest text. */
const EMPTY = CLASSES;
const QUOTED_EMPTY = CLASSES + 1;
const NULLS = CLASSES + 2;
const JSON_TEXT = CLASSES + 3;
const BLOBS = CLASSES + 4;
const TRUE_FALSE = CLASSES + 5;
const NUMBERS_IN_TEXT = CLASSES + 6;
/** The counters before this one have each field once. */
const OF_FIELDS = NUMBERS_IN_TEXT;
const LONGEST = CLASSES + 7;
const WIDTH = CLASSES + 8;

export class FactCounter {
  readonly #nulls: NullTokens;
  readonly #point: number;
  readonly #options: FactOptions;
  #counts = new Float64Array(WIDTH * 16);
  #records = 0;

  constructor(options: FactOptions) {
    this.#options = options;
    this.#nulls = new NullTokens(options.nullTokens);
    this.#point = options.decimalComma ? 44 : 46;
  }

  get records(): number {
    return this.#records;
  }

  add(batch: RecordBatch): void {
    const { recordEnds, records } = batch;
    let longest = 0;
    for (let record = 0, field = 0; record < records; record++) {
      longest = Math.max(longest, recordEnds[record]! - field);
      field = recordEnds[record]!;
    }
    if (longest * WIDTH > this.#counts.length) this.#grow(longest);
    this.#count(batch);
    this.#records += records;
  }

  /** The inner loop of the pass over the whole file. */
  #count({ bytes, starts, ends, kinds, records, recordEnds }: RecordBatch): void {
    const counts = this.#counts;
    const nulls = this.#nulls;
    const point = this.#point;
    const hasTypes = this.#options.format !== 'csv';
    for (let record = 0, field = 0; record < records; record++) {
      const last = recordEnds[record]!;
      for (let at = 0; field < last; field++, at += WIDTH) {
        const kind = kinds[field]!;
        if (kind < FIELD.text || kind > FIELD.number) {
          const counter = COUNTER_OF_KIND[kind]!;
          if (counter >= 0) counts[at + counter]!++;
          if (kind < FIELD.json) continue;
        }
        const start = starts[field]!;
        const length = ends[field]! - start;
        if (length > counts[at + LONGEST]!) counts[at + LONGEST] = length;
        if (kind > FIELD.number) continue;
        if (kind === FIELD.text && nulls.mayBe(length) && nulls.has(bytes, start, start + length))
          counts[at + NULLS]!++;
        else if (kind === FIELD.number) counts[at + classOfNumber(bytes, start, start + length)]!++;
        else {
          const found = classOf(bytes, start, start + length, point);
          counts[at + found]!++;
          if (kind === FIELD.quoted && hasTypes && IS_NUMBER[found] === 1) counts[at + NUMBERS_IN_TEXT]!++;
        }
      }
    }
  }

  /** @param columns of the reader, when it has read everything. */
  facts(columns: readonly string[]): readonly ColumnFacts[] {
    return columns.map((name, column) => this.#factsOf(name, column));
  }

  #factsOf(name: string, column: number): ColumnFacts {
    const from = column * WIDTH;
    const count = (counter: number): number => this.#counts[from + counter] ?? 0;
    let present = 0;
    for (let counter = 0; counter < OF_FIELDS; counter++) present += count(counter);
    const dates = datesOf(DATE_FORMATS.map((_, at) => count(CLASS.date + at)));
    const oneGroups = count(CLASS.oneGroup);
    const thousands = MARKS.flatMap((mark, at) => {
      const isOtherPoint = at < 2 && this.#point !== mark.charCodeAt(0);
      const found = count(GROUPED + at * 2) + count(GROUPED + at * 2 + 1) + (isOtherPoint ? oneGroups : 0);
      return found > 0 ? [[mark, found] as const] : [];
    });
    const rewritten = count(CLASS.respelledReal) + count(CLASS.threeRespelled);
    const shown: ShownCounts = {
      absent: this.#records - present,
      empty: count(EMPTY),
      quotedEmpty: count(QUOTED_EMPTY),
      nulls: count(NULLS),
      integers: count(CLASS.integer) + count(CLASS.integer53),
      beyond53: count(CLASS.integer53),
      beyond64: count(CLASS.integer64),
      leadingZeros: count(CLASS.leadingZeros),
      plusSigns: count(CLASS.plusSign),
      hex: count(CLASS.hex),
      reals: count(CLASS.real) + count(CLASS.wholeReal) + count(CLASS.threeDecimals),
      inexactReals: rewritten + count(CLASS.longReal) + count(CLASS.wholeExponent),
      booleans: count(CLASS.boolean) + count(TRUE_FALSE),
      dates,
      thousands: Object.fromEntries(thousands),
      texts: count(CLASS.text),
      json: count(JSON_TEXT),
      blobs: count(BLOBS),
    };
    const counts: Counts = {
      ...shown,
      records: this.#records,
      wholeReals: count(CLASS.wholeReal),
      longReals: count(CLASS.longReal),
      wholeExponents: count(CLASS.wholeExponent),
      threeDecimals: count(CLASS.threeDecimals) + count(CLASS.threeRespelled),
      groupedReals: MARKS.reduce((sum, _, at) => sum + count(GROUPED + at * 2 + 1), 0),
      oneGroups,
      numbersInText: count(NUMBERS_IN_TEXT),
      trueFalse: count(TRUE_FALSE),
    };
    return { name, ...shown, longest: count(LONGEST), ...suggestType(counts, this.#options) };
  }

  #grow(columns: number): void {
    const counts = new Float64Array(columns * WIDTH * 2);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

/** @param counts of each format */
function datesOf(counts: readonly number[]): ColumnFacts['dates'] {
  const found = new Map(DATE_FORMATS.map((format, at) => [format, counts[at]!]));
  // Where points are used, the day comes first, unless a date shows that it does not.
  const points = YEAR_LAST.filter(({ separator }) => separator === '.');
  if (points.every(({ name, first }) => first.includes('day') || found.get(name) === 0))
    for (const either of points.filter(({ first }) => first.length > 1)) {
      const [day] = points.filter(({ first, yearDigits, clock }) =>
        first.length === 1 && first[0] === 'day' && yearDigits === either.yearDigits && clock === either.clock); // prettier-ignore
      found.set(day!.name, found.get(day!.name)! + found.get(either.name)!);
      found.set(either.name, 0);
    }
  return Object.fromEntries([...found].filter(([, count]) => count > 0));
}

/** A number that the format says is one is no code like 2E10. If a double is written so, a column of reals has all of its digits. */
function classOfNumber(bytes: Uint8Array, start: number, end: number): number {
  const found = classOf(bytes, start, end, 46);
  const isReal = found === CLASS.longReal || found === CLASS.wholeExponent;
  return isReal && isDouble(bytes, start, end) ? CLASS.real : found;
}

/** 1 for each class of which a column of numbers would be made. */
const IS_NUMBER = new Uint8Array(CLASSES);
for (const name of [
  ...['integer', 'integer53', 'real', 'wholeReal', 'respelledReal', 'longReal', 'wholeExponent'],
  ...['threeDecimals', 'threeRespelled'],
] as const)
  IS_NUMBER[CLASS[name as keyof typeof CLASS]] = 1;

/** -1: none; what is absent is what is left over. */
const COUNTER_OF_KIND = new Int8Array(11).fill(-1);
COUNTER_OF_KIND[FIELD.empty] = EMPTY;
COUNTER_OF_KIND[FIELD.quotedEmpty] = QUOTED_EMPTY;
COUNTER_OF_KIND[FIELD.null] = NULLS;
COUNTER_OF_KIND[FIELD.true] = TRUE_FALSE;
COUNTER_OF_KIND[FIELD.false] = TRUE_FALSE;
COUNTER_OF_KIND[FIELD.json] = JSON_TEXT;
COUNTER_OF_KIND[FIELD.blob] = BLOBS;
