import { expect, test } from 'vitest';
import type { NativeFile } from '#shared/native-link.ts';
import type { FileLocations } from './file-locations.ts';
import { FilesInPlace } from './files-in-place.ts';

const FILE: NativeFile = { database: 'd', fileName: 'a.db', displayPath: '~/a.db', locationId: 'l', path: '/a.db' };

test('a file is open for changes or for reading, in all windows alike, until the last one has gone', () => {
  const files = new FilesInPlace({ pathOf: () => null } as unknown as FileLocations);
  expect(files.accessTo('l')).toBeNull();
  files.open('one', FILE);
  expect(files.accessTo('l')).toBe('write');
  files.forgetWindow('one');
  expect(files.accessTo('l')).toBeNull();
  files.open('one', { ...FILE, readOnly: true });
  files.open('two', { ...FILE, readOnly: true });
  files.forget('one', 'l');
  expect([files.accessTo('l'), files.pathOf('one', 'l'), files.pathOf('two', 'l')]).toEqual(['read', null, '/a.db']);
});

test('a file that becomes read-only in one window is so in all of them, unless that is undone', () => {
  const files = new FilesInPlace({ pathOf: () => null } as unknown as FileLocations);
  files.open('one', { ...FILE, asksBeforeWriting: true });
  const undo = files.open('two', { ...FILE, readOnly: true });
  expect(files.openedIn('one')).toMatchObject([{ readOnly: true }]);
  undo();
  expect([files.openedIn('one'), files.openedIn('two')]).toEqual([[{ ...FILE, asksBeforeWriting: true }], []]);
  files.open('two', { ...FILE, readOnly: true });
  files.forgetWindow('two');
  expect(files.accessTo('l')).toBe('read');
  files.forget('one', 'l');
  expect(files.accessTo('l')).toBeNull();
  files.open('one', { ...FILE, asksBeforeWriting: true });
  const undoAgain = files.open('one', { ...FILE, readOnly: true });
  undoAgain();
  expect(files.accessTo('l')).toBe('write');
});

test('says whether another window has the file open', () => {
  const files = new FilesInPlace({ pathOf: () => null } as unknown as FileLocations);
  files.open('one', FILE);
  expect(files.isOpenedBeside('one', 'l')).toBe(false);
  files.open('two', FILE);
  expect(files.isOpenedBeside('one', 'l')).toBe(true);
  expect(files.isOpenedBeside('one', 'other')).toBe(false);
});
