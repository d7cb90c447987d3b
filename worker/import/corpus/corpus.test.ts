// The corpus of files through a whole import: what is stored is what they hold, character by character. In the long tests Python's own
// module reads the delimited ones, too.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Value } from '#shared/protocol/values.ts';
import { LONG, sampled } from '#shared/seed-count.test-suite.ts';
import { libraryDisk } from '../../operations/history-disks.test-suite.ts';
import { HistoryFixture } from '../../operations/history-fixture.test-suite.ts';
import { importIntoTable } from './import-into-table.test-suite.ts';
import { CORPUS } from './cases.test-suite.ts';
import type { Cell, CorpusFile } from './cases.test-suite.ts';
import { EXPORTS } from './exports.test-suite.ts';

/** Decimal digits that a REAL certainly keeps. */
const EXACT_DIGITS = 15;

/** The text of a stored value: as it is written in the file if it is the same number. */
function asWritten(value: Value, written: Cell): Cell {
  if (value === null || typeof value === 'string') return value;
  const real = realOf(value);
  if (real !== null) {
    const digits = /^-?0*([\d.]+)(e\d+)?$/.exec(written ?? '')?.[1]?.replace('.', '');
    const isSame = digits !== undefined && digits.length <= EXACT_DIGITS && Number(written) === real;
    return isSame ? written : String(real);
  }
  const whole = /^(-?\d+)\.?0*$/.exec(written ?? '')?.[1];
  return whole !== undefined && BigInt(whole) === BigInt(value as bigint | number) ? written : String(value);
}

/** A REAL that is a whole number is told from an INTEGER by its shape. */
function realOf(value: Value): number | null {
  if (typeof value === 'number') return Number.isInteger(value) ? null : value;
  return typeof value === 'object' && value !== null && 'real' in value ? value.real : null;
}

describe('a file is stored as it is', () => {
  let fixture: HistoryFixture;
  let tables = 0;
  beforeAll(() => (fixture = new HistoryFixture('', libraryDisk)));
  afterAll(() => fixture.close());

  test.each([...sampled(CORPUS), ...EXPORTS])('$name', async ({ fileName, bytes, columns, rows }) => {
    const read = await importIntoTable(fixture, `t${++tables}`, { fileName, bytes });
    expect(read).toMatchObject({ columns, added: rows.length, problems: 0 });
    expect(read.rows.map((row, at) => row.map((value, column) => asWritten(value, rows[at]![column]!)))).toEqual(rows);
  });
});

const PYTHON = `
import csv, json, sys
csv.field_size_limit(1 << 30)
for line in sys.stdin:
    path, encoding, delimiter, quote, escape, blanks = json.loads(line)
    with open(path, encoding=encoding, newline='') as file:
        print(json.dumps(list(csv.reader(file, delimiter=delimiter, quotechar=quote, escapechar=escape, doublequote=escape is None, skipinitialspace=blanks))))
`;

function pythonReads(files: readonly CorpusFile[]): readonly (readonly (readonly string[])[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  try {
    const input = files.map(({ bytes, csv }, at) => {
      const path = join(folder, `${at}.csv`);
      writeFileSync(path, bytes);
      return JSON.stringify([
        path,
        csv!.encoding,
        csv!.delimiter,
        csv!.quote,
        csv!.escape ?? null,
        csv!.skipsBlanks ?? false,
      ]);
    });
    const output = execFileSync('python3', ['-c', PYTHON], { input: input.join('\n'), maxBuffer: 1 << 28 });
    return output
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[][]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
}

test.runIf(LONG && hasPython())('Python reads the delimited files alike', () => {
  const files = CORPUS.filter(({ csv }) => csv !== undefined);
  for (const [at, read] of pythonReads(files).entries()) {
    const { name, columns, rows } = files[at]!;
    const texts = rows.map((row) => row.map((cell) => cell ?? ''));
    expect({ name, read: read.filter((row) => row.length > 0) }).toEqual({ name, read: [columns, ...texts] });
  }
});
