import { expect, test } from 'vitest';
import type { SourceFileState } from '#shared/protocol/files.ts';
import type { SourcePrint } from '#shared/source-print.ts';
import { stateOf } from './baseline.ts';

const print: SourcePrint = {
  sizeBytes: 1,
  modifiedAtMs: 1,
  fileId: '1:1',
  walSizeBytes: 0,
  walModifiedAtMs: 0,
  content: 'a',
};
const baseline = { source: print, copyMark: 'm', atMs: 5 };
const file = (change: Partial<SourcePrint> = {}): SourceFileState => ({
  found: 'file',
  print: { ...print, ...change },
});

test('both sides are told apart', () => {
  expect(stateOf(file(), baseline, 'm')).toMatchObject({ disk: 'unchanged', changedHere: false });
  expect(stateOf(file(), baseline, 'n')).toMatchObject({ disk: 'unchanged', changedHere: true });
  expect(stateOf(file({ content: 'b' }), baseline, 'n')).toMatchObject({ disk: 'changed', changedHere: true });
  expect(stateOf(file({ content: 'b', fileId: '1:2' }), baseline, 'm')).toMatchObject({ disk: 'replaced' });
  expect(stateOf({ found: 'missing' }, baseline, 'm')).toMatchObject({ disk: 'missing' });
  expect(stateOf({ found: 'unreadable', why: 'No.' }, baseline, 'm')).toMatchObject({ disk: 'unreadable', why: 'No.' });
});

test('without a moment when both were the same nothing is claimed', () => {
  expect(stateOf(file(), null, 'm')).toMatchObject({ disk: 'unknown', changedHere: null, sameAtMs: null });
  expect(stateOf(file(), baseline, null).changedHere).toBeNull();
});

test('a change the person knows of is kept quiet until the next', () => {
  const keptMine = { ...print, content: 'b' };
  expect(stateOf(file({ content: 'b' }), { ...baseline, keptMine }, 'm')).toMatchObject({
    disk: 'changed',
    keptMine: true,
  });
  expect(stateOf(file({ content: 'c' }), { ...baseline, keptMine }, 'm').keptMine).toBe(false);
});
