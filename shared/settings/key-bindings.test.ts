import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { COMMANDS } from '../commands.ts';
import { readAccelerator, whyReserved } from './accelerators.ts';
import { keyConflicts, keysOf, whyNotKeyOf } from './key-bindings.ts';
import { readSettings } from './read-settings.ts';

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
    { seed: 598, numRuns: seedCount(100) },
  );
});

test('every default key can be chosen, and has the one spelling', () => {
  for (const command of COMMANDS)
    for (const key of [...keysOf(command, {}, false), ...keysOf(command, {}, true)]) {
      expect(readAccelerator(key)).toBe(key);
      // Enter and Backspace with a modifier, F keys, and Insert.
      expect(whyNotKeyOf(command.id, key)).toBeNull();
    }
});

test('Back and Forward have the usual keys of each system, and may be given them where they mean something else', () => {
  const keys = (mac: boolean) =>
    COMMANDS.filter(({ id }) => id === 'go.back' || id === 'go.forward').map((command) => keysOf(command, {}, mac));
  expect(keys(false)).toEqual([['Alt+Left'], ['Alt+Right']]);
  expect(keys(true)).toEqual([['Ctrl+-'], ['Ctrl+Shift+-']]);
  expect(readSettings({ keys: { 'go.back': ['Ctrl+-', 'F9'] } })).toMatchObject({
    values: { keys: { 'go.back': ['Ctrl+-', 'F9'] } },
    problems: [],
  });
  expect(readSettings({ keys: { 'file.open': ['Ctrl+-'] } }).problems).toHaveLength(1);
});

test('keys that type, move, or belong to the system run no command', () => {
  const reserved = ['A', 'Shift+7', 'Enter', 'Shift+Tab', 'CmdOrCtrl+A', 'Ctrl+Q', 'CmdOrCtrl+Shift+Home', 'Delete'];
  expect(reserved.filter((key) => whyReserved(key) === null)).toEqual([]);
  const free = ['F7', 'Shift+F7', 'Insert', 'Alt+Up', 'Ctrl+Shift+A'];
  expect(free.filter((key) => whyReserved(key) !== null)).toEqual([]);
});

test('defaults have no conflicts; a key that is chosen twice is one for both, in one scope', () => {
  expect(keyConflicts(COMMANDS, {}, false, plain).size).toBe(0);
  const chosen = { 'file.import': ['Ctrl+O'], 'grid.fillDown': ['Ctrl+O'], 'tab.close': [] };
  const conflicts = keyConflicts(COMMANDS, chosen, false, plain);
  expect([...conflicts.keys()].sort()).toEqual(['file.import', 'file.open']);
  expect(conflicts.get('file.open')).toMatchObject([{ key: 'CmdOrCtrl+O', other: { id: 'file.import' } }]);
  // A command with the same key twice has no conflict.
  expect(keyConflicts(COMMANDS, { 'file.import': ['F7', 'F7'] }, false, plain).size).toBe(0);
});
