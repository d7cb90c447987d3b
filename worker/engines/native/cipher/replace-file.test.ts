// A swap of files that does not come to its end.
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupOf, createPart, replaceFile } from './replace-file.ts';
import type { Replaced } from './replace-file.ts';

let folder: string;
let file: Replaced;
let part: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-file-'));
  const path = join(folder, 'file.db');
  writeFileSync(path, 'old');
  file = { path, descriptor: openSync(path, 'r') };
  part = createPart(path);
  writeFileSync(part, 'new');
});

afterEach(() => {
  closeSync(file.descriptor);
  rmSync(folder, { recursive: true });
});

it('keeps the old file until the new one is proven, and puts it back if it is not', () => {
  const proves = (): void => {
    expect(readFileSync(file.path, 'utf8')).toBe('new');
    expect(readFileSync(backupOf(file.path), 'utf8')).toBe('old');
    throw new Error('it does not open');
  };
  expect(() => replaceFile(file, part, proves)).toThrow('it does not open');
  expect(readFileSync(file.path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['file.db']);
});

it('removes the old file when the new one is proven', () => {
  expect(replaceFile(file, part, () => expect(existsSync(backupOf(file.path))).toBe(true))).toBeNull();
  expect(readFileSync(file.path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['file.db']);
});

it('does not take the name of another file for that of the old one', () => {
  writeFileSync(backupOf(file.path), 'of somebody');
  expect(() => replaceFile(file, part, () => undefined)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(readFileSync(file.path, 'utf8')).toBe('old');
  expect(readFileSync(backupOf(file.path), 'utf8')).toBe('of somebody');
});

it('says which file could not be removed', () => {
  // It is gone, which is no better for who expects it to be removed here.
  const proves = (): void => rmSync(backupOf(file.path));
  expect(replaceFile(file, part, proves)).toBe(backupOf(file.path));
  expect(readFileSync(file.path, 'utf8')).toBe('new');
});
