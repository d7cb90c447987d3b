// Detects JSON and NDJSON from the beginning of a file, and tells them apart.
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { Evidence } from '#shared/protocol/import.ts';
import type { Detected, FileSample } from '../import-format.ts';
import { plainOptions } from '../plain-options.ts';
import { BAD, CUT, JsonScanner } from './json-scanner.ts';

const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const LINE_FEED = 0x0a;
const RECORD_SEPARATOR = 0x1e;

const CERTAIN = 0.97;
const LIKELY = 0.95;
/** The file has the name, but cannot be read as it should. */
const BY_NAME = 0.6;

/** Detects a file as JSON or as NDJSON. */
export function detectJson(sample: FileSample, format: 'json' | 'ndjson'): Detected {
  const encoding = encodingOf(sample.bytes);
  const bytes = asUtf8(sample.bytes, encoding);
  const name = sample.fileName.toLowerCase();
  const hasName = format === 'json' ? /\.(?:geo)?json$/.test(name) : /\.(?:ndjson|jsonl|ldjson)$/.test(name);
  const scanner = new JsonScanner();
  scanner.look(bytes, bytes.length);
  const start = afterMark(scanner, scanner.space(0));
  const first = bytes[start];
  const isStructure = first === OPEN_BRACE || first === OPEN_BRACKET;
  const lines = isStructure ? linesOf(scanner, start) : 0;
  // A list of rows is a whole file of JSON, whatever its name is.
  const isList = first === OPEN_BRACKET && [OPEN_BRACE, OPEN_BRACKET].includes(bytes[scanner.space(start + 1)] ?? 0);
  const isSequence = bytes[start - 1] === RECORD_SEPARATOR;
  const isLines = isSequence || lines > 1 || (lines === 1 && !isList && /\.(?:ndjson|jsonl|ldjson)$/.test(name));
  const looks = isStructure && (format === 'ndjson' ? isLines : !isLines && scanner.value(start) !== BAD);
  const certainty = looks ? (format === 'ndjson' ? CERTAIN : LIKELY) : hasName ? BY_NAME : 0;
  const evidence: Evidence[] = [
    {
      option: 'format',
      reason: looks
        ? format === 'ndjson'
          ? `Each line is one JSON ${first === OPEN_BRACE ? 'object' : 'array'}.`
          : `It begins with ${first === OPEN_BRACE ? 'an object' : 'a list'} in JSON.`
        : 'The name of the file says so.',
      ...(looks && { line: 1 }),
    },
  ];
  if (encoding !== 'utf-8') evidence.push({ option: 'encoding', reason: 'It begins as UTF-16 does.' });
  const header = firstRow(scanner, start, format, bytes);
  if (header) evidence.push({ option: 'hasHeader', reason: 'The first list holds nothing but strings.' });
  return {
    certainty,
    options: plainOptions(format as ImportFormatId, {
      encoding,
      // A list in an object may begin with names, too.
      hasHeader: header || (format === 'json' && first === OPEN_BRACE),
    }),
    evidence,
  };
}

/** Texts of RFC 7464 begin with a record separator, which only a reader of lines passes over. */
const afterMark = ({ bytes }: JsonScanner, at: number): number => (bytes[at] === RECORD_SEPARATOR ? at + 1 : at);

/** Counts how many of the first two lines are whole values; 0 where the first is not. */
function linesOf(scanner: JsonScanner, start: number): number {
  const { bytes } = scanner;
  let lines = 0;
  for (let from = start; lines < 2;) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const end = feed < 0 ? bytes.length : feed;
    const after = scanner.value(from);
    if (after < 0 || after > end || scanner.space(after) < end) break;
    lines++;
    from = afterMark(scanner, scanner.space(end));
    const next = bytes[from];
    if (next !== OPEN_BRACE && next !== OPEN_BRACKET) break;
    // The second line is cut off by the end of the sample: it begins as one does.
    if (lines === 1 && scanner.value(from) === CUT) return 2;
  }
  return lines;
}

/** Whether the records are lists, and the first holds nothing but strings. */
function firstRow(scanner: JsonScanner, start: number, format: string, bytes: Uint8Array): boolean {
  const at = format === 'json' ? scanner.space(start + 1) : start;
  if (bytes[start] !== OPEN_BRACKET || bytes[at] !== OPEN_BRACKET) return false;
  const end = scanner.value(at);
  if (end < 0) return false;
  try {
    const row = JSON.parse(new TextDecoder().decode(bytes.subarray(at, end))) as readonly unknown[];
    return row.length > 0 && row.every((value) => typeof value === 'string');
  } catch {
    return false;
  }
}

/** Tells the encoding by its byte order mark or the position of zeros: JSON begins with ASCII (RFC 4627, section 3). */
function encodingOf(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] !== 0 && bytes[1] === 0)) return 'utf-16le';
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0 && bytes[1] !== 0)) return 'utf-16be';
  return 'utf-8';
}

function asUtf8(bytes: Uint8Array, encoding: string): Uint8Array {
  if (encoding !== 'utf-8') return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
