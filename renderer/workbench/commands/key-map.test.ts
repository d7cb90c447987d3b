import { expect, test } from 'vitest';
import { COMMANDS } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import { keysOf } from '#shared/settings/key-bindings.ts';
import { canonicalKey, chosenKey, keyLabel, pressedKey } from './key-map.ts';

const press = (
  key: string,
  code: string,
  modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {},
) => pressedKey({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers });

test('a press and an accelerator meet in one spelling', () => {
  expect(press('T', 'KeyT', { ctrlKey: true, shiftKey: true })).toBe(canonicalKey('CmdOrCtrl+Shift+T', false));
  expect(press('p', 'KeyP', { metaKey: true })).toBe(canonicalKey('CmdOrCtrl+P', true));
  expect(press('Tab', 'Tab', { ctrlKey: true })).toBe(canonicalKey('Ctrl+Tab', true));
  expect(press('F2', 'F2')).toBe(canonicalKey('F2', false));
  expect(press('ArrowLeft', 'ArrowLeft', { altKey: true })).toBe(canonicalKey('Alt+Left', false));
  expect(press('{', 'BracketLeft', { ctrlKey: true, shiftKey: true })).toBe(canonicalKey('CmdOrCtrl+Shift+[', false));
  expect(press('_', 'Minus', { ctrlKey: true, shiftKey: true })).toBe(canonicalKey('Ctrl+Shift+-', true));
  expect(press('.', 'Period', { ctrlKey: true })).toBe(canonicalKey('CmdOrCtrl+.', false));
});

test('letters go by the layout where it is Latin, by the place of the key where it is not', () => {
  expect(press('p', 'KeyR', { ctrlKey: true })).toBe('Ctrl+P');
  expect(press('з', 'KeyP', { ctrlKey: true })).toBe('Ctrl+P');
});

test('a symbol is the same key on every layout, also where it takes Shift', () => {
  expect(press('/', 'Slash', { ctrlKey: true })).toBe('Ctrl+/');
  expect(press('/', 'Digit7', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+/');
  expect(press('.', 'Comma', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+.');
  expect(press('7', 'Digit7', { ctrlKey: true })).toBe('Ctrl+7');
  // A Mac leaves Shift out of the key while Command is held.
  expect(press('[', 'BracketLeft', { metaKey: true, shiftKey: true })).toBe('Meta+Shift+[');
});

test('a press becomes a setting that means the same on every system; a modifier alone is none', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const chosen = { ...plain, key: 'k', code: 'KeyK', shiftKey: true };
  expect(chosenKey({ ...chosen, ctrlKey: true }, false)).toBe('CmdOrCtrl+Shift+K');
  expect(chosenKey({ ...chosen, metaKey: true }, true)).toBe('CmdOrCtrl+Shift+K');
  expect(chosenKey({ ...chosen, ctrlKey: true }, true)).toBe('Ctrl+Shift+K');
  expect(chosenKey({ ...plain, key: ' ', code: 'Space', altKey: true }, false)).toBe('Alt+Space');
  expect(chosenKey({ ...plain, key: 'Control', code: 'ControlLeft', ctrlKey: true }, false)).toBeNull();
  expect(chosenKey({ ...plain, key: 'k', code: 'KeyK', metaKey: true }, false)).toBeNull();
});

test('keys are spelled as each system does', () => {
  expect(keyLabel('CmdOrCtrl+Shift+T', false)).toBe('Ctrl Shift T');
  expect(keyLabel('CmdOrCtrl+Shift+T', true)).toBe('⇧⌘T');
  expect(keyLabel('CmdOrCtrl++', false)).toBe('Ctrl +');
  expect(keyLabel('CmdOrCtrl++', true)).toBe('⌘+');
  expect(keyLabel('Alt+Shift+Left', false)).toBe('Alt Shift ←');
  expect(keyLabel('Alt+Shift+Left', true)).toBe('⌥⇧←');
});

test.each([false, true])('no two commands of one scope share a key (Mac: %s)', (mac) => {
  const keys = (COMMANDS as readonly Command[]).flatMap((command) =>
    // A command that takes the key of another comes before it while it is enabled.
    (command.takesKeyOf ? (command.otherKeys ?? []) : keysOf(command, {}, mac)).map(
      (each) => `${command.scope} ${canonicalKey(each, mac)}`,
    ),
  );
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});
