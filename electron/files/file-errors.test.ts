import { expect, test } from 'vitest';
import { readError, writeError } from './file-errors.ts';

test.each([
  ['ENOSPC', 'full', 'disk is full'],
  ['EDQUOT', 'full', 'disk is full'],
  ['EROFS', 'io', 'cannot be written to'],
  ['EACCES', 'io', 'cannot be written to'],
  ['EIO', 'io', 'could not be written (EIO)'],
])('writing: %s', (code, ours, words) => {
  expect(writeError('a.db', { code })).toMatchObject({ code: ours, message: expect.stringContaining(words) });
});

test.each([
  ['ENOENT', 'not-found', 'moved, renamed, or deleted'],
  ['EACCES', 'io', 'do not have permission to read'],
  ['EIO', 'io', 'could not be read (EIO)'],
])('reading: %s', (code, ours, words) => {
  expect(readError('a.db', { code })).toMatchObject({ code: ours, message: expect.stringContaining(words) });
});
