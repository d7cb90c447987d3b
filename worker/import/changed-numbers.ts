// Counts what an existing table stores in another way than the file has it, because its columns make numbers of texts: 007 becomes 7.
import { counted } from '#shared/counted.ts';
import { placeWord } from '#shared/import-formats.ts';
import type { ImportOptions } from '#shared/protocol/import.ts';
import { asciiText } from '#shared/ascii-text.ts';
import { FIELD, type RecordBatch } from '../records/record-batch.ts';
import type { RecordBinding } from '../engines/record-values.ts';
import { affinityOf } from './affinity.ts';
import { CLASS, isDouble } from './facts/classes.ts';
import { classOf } from './facts/field-class.ts';
import { declaredType, type ResolvedTarget } from './import-target.ts';

const CHANGES = ['it is written differently', 'digits are lost'] as const;
const [SPELLING, DIGITS] = [0, 1];

interface Watched {
  readonly name: string;
  readonly type: string;
  readonly field: number;
  readonly isReal: boolean;
  /** How often there is each of {@link CHANGES}, and the first value with it. */
  readonly counts: number[];
  readonly examples: string[];
}

export class ChangedNumbers {
  readonly #columns: readonly Watched[];
  readonly #point: number;
  /** Cells in quotes are texts, which in CSV may be numbers as well. */
  readonly #hasTexts: boolean;
  readonly #place: string;

  constructor(
    { shape, columns }: ResolvedTarget,
    { parameters }: RecordBinding,
    { decimalComma, format }: Pick<ImportOptions, 'decimalComma' | 'format'>,
  ) {
    this.#place = placeWord(format).toLowerCase();
    this.#point = decimalComma ? 44 : 46;
    this.#hasTexts = format !== 'csv';
    const numeric = new Set(parameters.filter(({ as }) => as === 'number').map(({ field }) => field));
    // The types of a new table are chosen so that nothing changes, or by a person who was told.
    this.#columns = columns.flatMap((column): readonly Watched[] => {
      const { name, from, expression } = column;
      if (shape === null || from === null || expression.trim() !== '' || !numeric.has(from)) return [];
      const type = declaredType(shape, column);
      const isReal = affinityOf(type) === 'REAL';
      return [{ name, type, field: from, isReal, counts: [0, 0], examples: ['', ''] }];
    });
  }

  add({ bytes, starts, ends, kinds, lines, records, recordEnds }: RecordBatch): void {
    for (const { field, isReal, counts, examples } of this.#columns) {
      for (let record = 0, first = 0; record < records; first = recordEnds[record++]!) {
        const at = first + field;
        const kind = kinds[at]!;
        if (at >= recordEnds[record]! || kind < FIELD.text || kind > FIELD.number) continue;
        const isText = this.#hasTexts && kind === FIELD.quoted;
        const change =
          changeOf(bytes, starts[at]!, ends[at]!, this.#point, kind === FIELD.number, isReal) ??
          (isText && isRespelled(bytes, starts[at]!, ends[at]!, this.#point, isReal) ? SPELLING : null);
        if (change === null || counts[change]!++ > 0) continue;
        examples[change] =
          `${asciiText(bytes, starts[at]!, ends[at]!)} in ${this.#place} ${lines[record]!.toLocaleString('en-US')}`;
      }
    }
  }

  /** A sentence for each column and change. */
  get notes(): readonly string[] {
    return this.#columns.flatMap(({ name, type, counts, examples }) =>
      CHANGES.flatMap((change, at) =>
        counts[at] === 0
          ? []
          : [
              `A number in “${name}” (${type}), so ${change}: ${counted(counts[at]!, 'value')}, such as ${examples[at]}.`,
            ],
      ),
    );
  }
}

/** What SQLite makes of a text, or of a number of the format, in a column with numeric affinity; null: the same. */
function changeOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  point: number,
  isNumber: boolean,
  isReal: boolean,
): number | null {
  let [from, to] = [start, end];
  while (from < to && isSpace(bytes[from]!)) from++;
  while (to > from && isSpace(bytes[to - 1]!)) to--;
  switch (classOf(bytes, from, to, point)) {
    case CLASS.integer53:
      return isReal && !isDouble(bytes, from, to) ? DIGITS : spelling(from > start || to < end);
    case CLASS.integer64:
    case CLASS.longReal:
      return isDouble(bytes, from, to) ? spelling(from > start || to < end) : DIGITS;
    case CLASS.leadingZeros:
    case CLASS.plusSign:
    case CLASS.wholeExponent:
      return isNumber ? null : SPELLING;
    case CLASS.integer:
    case CLASS.real:
    case CLASS.wholeReal:
    case CLASS.respelledReal:
    case CLASS.threeDecimals:
    case CLASS.threeRespelled:
      return spelling(from > start || to < end);
    default:
      return null;
  }
}

/** The text `1.10` becomes a number that is written 1.1. */
function isRespelled(bytes: Uint8Array, start: number, end: number, point: number, isReal: boolean): boolean {
  const found = classOf(bytes, start, end, point);
  if (found === CLASS.wholeReal) return !isReal;
  if (found === CLASS.integer || found === CLASS.integer53) return isReal;
  return found === CLASS.respelledReal || found === CLASS.threeRespelled;
}

const spelling = (hasSpaces: boolean): number | null => (hasSpaces ? SPELLING : null);

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
