// How the sample of a text file is read, and why: its lines, and then what their fields say.
import type { Evidence, ImportOptions } from '#shared/protocol/import.ts';
import { detectContent } from './detect-content.ts';
import { detectDelimiter } from './detect-delimiter.ts';
import type { SampleRecord } from './sample-records.ts';

export type TextOptions = Omit<ImportOptions, 'format' | 'encoding' | 'part'>;

export interface TextReading {
  readonly options: TextOptions;
  readonly evidence: readonly Evidence[];
  /** Share of the records that have as many fields as most. */
  readonly certainty: number;
  /** Excludes skipped lines and comments; the first one may be the header. */
  readonly records: readonly SampleRecord[];
  readonly headerDoubt: string | null;
}

/** @param text UTF-8. @param given what is not detected. */
export function readText(text: Uint8Array, fileName: string, given: Partial<ImportOptions>): TextReading {
  const dialect = detectDelimiter(text, fileName, given);
  const { delimiter, quote, escape = '', skipsBlanks = false, comment, skipLines, records, certainty } = dialect;
  const { hasHeader, decimalComma, nullTokens, evidence, headerDoubt } = detectContent(records, delimiter, given);
  return {
    options: { delimiter, quote, escape, skipsBlanks, comment, skipLines, hasHeader, decimalComma, nullTokens },
    evidence: [...dialect.evidence, ...evidence],
    certainty,
    records,
    headerDoubt,
  };
}
