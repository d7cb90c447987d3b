// Files that another program makes in a test, and what a third one reads of them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Value } from '#shared/protocol/values.ts';

/** What the judge says of a cell: a number, text, boolean, bytes, or JSON; null: nothing. */
export type JudgedCell = readonly [kind: string, text: string] | null;

export interface JudgedFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null where the file has none. */
  readonly columns: readonly string[] | null;
  readonly rows: readonly (readonly JudgedCell[])[];
}

/** @param script in `judges/`, which makes files in a folder. @param packages a folder of packages of Python that it needs */
export function judgedFiles(script: string, packages: string): readonly JudgedFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'judged-'));
  try {
    const output = execFileSync('python3', [join(import.meta.dirname, 'judges', script), folder], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: packages },
      maxBuffer: 1 << 28,
    });
    const files = JSON.parse(output.toString()) as readonly Omit<JudgedFile, 'bytes'>[];
    return files.map((file) => ({ ...file, bytes: new Uint8Array(readFileSync(join(folder, file.file))) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is stored, in the words of the judge: its own where both mean the same. */
export function asJudged(value: Value | undefined, judged: JudgedCell): JudgedCell {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('hex')];
  if (typeof value === 'string') {
    if (judged?.[0] === 'json') return isSameJson(value, judged[1]) ? judged : ['json', value];
    // In a column with texts, numbers are texts with the same digits.
    const isNumber = judged?.[0] === 'number' && plainDigits(value) === plainDigits(judged[1]);
    return isNumber || (judged?.[0] === 'boolean' && value.toLowerCase() === judged[1]) ? judged : ['text', value];
  }
  const digits = String(typeof value === 'object' && 'real' in value ? value.real : value);
  if (judged?.[0] === 'boolean') return ['boolean', { '0': 'false', '1': 'true' }[digits] ?? digits];
  return judged?.[0] === 'number' && plainDigits(digits) === plainDigits(judged[1]) ? judged : ['number', digits];
}

/** Digits and exponent without what says nothing about the value; another text as it is. */
export function plainDigits(text: string): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (found === null) return text;
  const [, sign, whole = '', part = '', exponent = '0'] = found;
  const digits = (whole + part).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  return bare === '' ? '0' : `${sign}${bare}e${Number(exponent) - part.length + digits.length - bare.length}`;
}

const isSameJson = (one: string, other: string): boolean =>
  JSON.stringify(withDigits(one)) === JSON.stringify(withDigits(other));

const withDigits = (json: string): unknown =>
  JSON.parse(
    json.replace(/("(?:[^"\\]|\\[^])*")|-?\d[\d.eE+-]*/g, (found, text?: string) =>
      text === undefined ? JSON.stringify(`#${plainDigits(found)}`) : found,
    ),
  );
