// Reads a file as the product does: what it is, its first records, and all of it; and says how that ended.
import { AppError } from '#shared/protocol/errors.ts';
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { ByteSource, RecordReader } from '../../records/record-batch.ts';
import { detectSource } from '../detect-source.ts';
import { readFirst } from '../first-records.ts';
import { formatOf } from '../formats.ts';
import type { FileClient } from '../../library/files.ts';
import { plainOptions } from '../plain-options.ts';
import type { ReadingLimits } from '../reading-limits.ts';

/** Messages of JavaScript and of its engines, which say nothing to a person. */
const OF_JAVASCRIPT =
  /undefined|\bnull\b|NaN|is not a function|Maximum call stack|Invalid (?:array|string|typed array) length|out of (?:bounds|memory)|Offset is outside|\[object|Cannot (?:read|mix|convert|set)|RangeError|TypeError/;

/** What is wrong with an error, or a sentence about a record, as a person would read it; null: nothing. */
export function faultOf(thrown: unknown): string | null {
  if (!(thrown instanceof AppError))
    return `not an AppError: ${thrown instanceof Error ? thrown.stack : String(thrown)}`;
  if (thrown.code === 'internal') return `internal: ${thrown.message}`;
  return faultOfText(thrown.message);
}

export function faultOfText(text: string): string | null {
  // What is in quotation marks comes from the file.
  if (OF_JAVASCRIPT.test(text.replace(/“[^”]*”?/gu, ''))) return `words of JavaScript: ${text}`;
  return /[.!?:]$/.test(text.trim()) ? null : `no sentence: ${text}`;
}

export const clientOf = (source: ByteSource): FileClient =>
  ({
    call: async (operation: string, { offset, length }: { readonly offset: number; readonly length: number }) =>
      operation === 'file.info'
        ? { fileName: source.fileName, sizeBytes: source.sizeBytes, modifiedAtMs: 1 }
        : source.read(offset, length),
  }) as unknown as FileClient;

/** How it ended: the sentence of the error, or of the first problem; '' where all of it was read. @throws what is no such sentence */
async function sentenceOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    if (fault !== null) throw new Error(fault, { cause: error });
    return (error as AppError).message;
  }
}

export interface BombRead {
  readonly detected: string;
  readonly first: string;
  readonly all: string;
}

/** @param mayGoOn asked after each batch: a file that never ends is read for as long as it says */
export async function readBomb(
  source: ByteSource,
  format: ImportFormatId,
  limits: ReadingLimits | undefined,
  mayGoOn: () => boolean,
): Promise<BombRead> {
  let options = plainOptions(format, { hasHeader: true });
  const detected = await sentenceOf(async () => {
    const found = await detectSource(clientOf(source), { kind: 'file', token: 'chosen' }, { format });
    options = found.options;
    return '';
  });
  const open = async (): Promise<RecordReader> => formatOf(format).read(source, options, limits);
  const first = await sentenceOf(
    async () => (await readFirst(await open(), 1000)).remarks.takeProblems()[0]?.reason ?? '',
  );
  const all = await sentenceOf(async () => {
    const reader = await open();
    let sentence = '';
    for (let batch = await reader.next(); batch !== null && mayGoOn(); batch = await reader.next())
      sentence ||= reader.takeProblems()[0]?.reason ?? '';
    return sentence || (reader.takeProblems()[0]?.reason ?? '');
  });
  for (const sentence of [detected, first, all]) {
    const fault = sentence === '' ? null : faultOfText(sentence);
    if (fault !== null) throw new Error(fault);
  }
  return { detected, first, all };
}
