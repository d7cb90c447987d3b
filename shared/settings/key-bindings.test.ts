import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMANDS } from '../commands.ts';
import { readAccelerator, whyReserved } from './accelerators.ts';
import { keyConflicts, keysOf } from './key-bindings.ts';

const plain = (key: string): string => key.replace('CmdOrCtrl', 'Ctrl');

test.each([
  ['ctrl+shift+t', 'Ctrl+Shift+T'],
  ['Shift + CmdOrCtrl + f5', 'CmdOrCtrl+Shift+F5'],
  ['CommandOrControl+,', 'CmdOrCtrl+,'],
  ['option+pageup', 'Alt+PageUp'],
  ['F25', null],
  ['Ctrl+', null],
  ['Ctrl+Ctrl+A', null],
  ['Hyper+A', null],
  ['Ctrl+ö', null],
  ['', null],
])('%s is read as %s', (text, key) => expect(readAccelerator(text)).toBe(key));

test('any text is no key, or one with a single spelling', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const key = readAccelerator(text);
      expect(key === null || readAccelerator(key) === key).toBe(true);
    }),
  );
});

test('every default key can be chosen, and has the one spelling', () => {
  for (const command of COMMANDS)
    for (const key of keysOf(command, {})) {
      expect(readAccelerator(key)).toBe(key);
      // Enter and Backspace with a modifier, F keys, and Insert.
      expect(whyReserved(key)).toBeNull();
    }
});

test('keys that type, move, or belong to the system run no command', () => {
  const reserved = ['A', 'Shift+7', 'Enter', 'Shift+Tab', 'CmdOrCtrl+A', 'Ctrl+Q', 'CmdOrCtrl+Shift+Home', 'Delete'];
  expect(reserved.filter((key) => whyReserved(key) === null)).toEqual([]);
  const free = ['F7', 'Shift+F7', 'Insert', 'Alt+Up', 'Ctrl+Shift+A'];
  expect(free.filter((key) => whyReserved(key) !== null)).toEqual([]);
});

test('defaults have no conflicts; a key that is chosen twice is one for both, in one scope', () => {
  expect(keyConflicts(COMMANDS, {}, plain).size).toBe(0);
  const chosen = { 'file.import': ['Ctrl+O'], 'grid.fillDown': ['Ctrl+O'], 'tab.close': [] };
  const conflicts = keyConflicts(COMMANDS, chosen, plain);
  expect([...conflicts.keys()].sort()).toEqual(['file.import', 'file.open']);
  expect(conflicts.get('file.open')).toMatchObject([{ key: 'CmdOrCtrl+O', other: { id: 'file.import' } }]);
  // A command with the same key twice is in conflict with nobody.
  expect(keyConflicts(COMMANDS, { 'file.import': ['F7', 'F7'] }, plain).size).toBe(0);
});
