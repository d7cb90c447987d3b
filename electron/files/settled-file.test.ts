import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSettled } from './settled-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-settled-'));
  path = join(folder, 'report.sql');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Reads while another program does these steps, one between two looks. */
async function readDuring(...steps: (() => void)[]): Promise<string> {
  let looks = 0;
  const bytes = await readSettled(path, 1000, () => Promise.resolve(steps[looks++]?.()));
  expect(looks).toBeGreaterThan(steps.length);
  return bytes!.toString();
}

/** Two writes may fall into one step of the file system's clock. */
let clock = 0;
function write(text: string): void {
  appendFileSync(path, text);
  const at = Date.now() / 1000 - 1 + clock++ / 100;
  utimesSync(path, at, at);
}

it('waits until a file that is written in place is complete', async () => {
  writeFileSync(path, 'SELECT old;');
  truncateSync(path);
  expect(
    await readDuring(
      () => write('SELECT '),
      () => write('1 '),
      () => write('+ 2;'),
    ),
  ).toBe('SELECT 1 + 2;');
});

it('sees a file that is replaced by one of the same size and time', async () => {
  const at = Date.now() / 1000;
  const put = (text: string): void => {
    writeFileSync(`${path}.new`, text);
    utimesSync(`${path}.new`, at, at);
    renameSync(`${path}.new`, path);
  };
  put('one');
  expect(await readDuring(() => put('two'))).toBe('two');
});

it('reads a file at once that has rested, and none that is too large', async () => {
  writeFileSync(path, 'SELECT 1;');
  utimesSync(path, 1_000_000, 1_000_000);
  const never = (): never => {
    throw new Error('waited');
  };
  expect(String(await readSettled(path, 1000, never))).toBe('SELECT 1;');
  expect(await readSettled(path, 3, never)).toBeNull();
});
