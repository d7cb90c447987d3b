// Electron's accelerator syntax for keyboard events: parsing, matching, and labels for the user.

import type { Command } from '#shared/commands/command.ts';
import { readAccelerator } from '#shared/settings/accelerators.ts';
import type { ChosenKeys } from '#shared/settings/definitions.ts';
import { keyConflicts, keysOf, type KeyConflict } from '#shared/settings/key-bindings.ts';
import { isMac } from '../../ui/is-mac.ts';

export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Symbols that commands use besides letters, digits, and named keys, and their keys on a US keyboard, without Shift. */
const SYMBOLS: Readonly<Record<string, string>> = {
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
  '\\': 'Backslash',
  '[': 'BracketLeft',
  ']': 'BracketRight',
};

/** Keys behind shifted characters that commands use: the accelerator names the key without Shift. */
const WITH_SHIFT: Readonly<Record<string, string>> = { '{': '[', '}': ']', _: '-' };

const NAMED_KEYS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  Insert: 'Insert',
  Backspace: 'Backspace',
  Delete: 'Delete',
  Enter: 'Enter',
  Tab: 'Tab',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};

const SIGNS: Readonly<Record<string, string>> = { Up: '↑', Down: '↓', Left: '←', Right: '→' };

export const keysHere = (command: Command, chosen: ChosenKeys): readonly string[] => keysOf(command, chosen, isMac);

export const conflictsHere = (
  commands: readonly Command[],
  chosen: ChosenKeys,
): ReadonlyMap<string, readonly KeyConflict[]> => keyConflicts(commands, chosen, isMac, canonicalKey);

/** The accelerator of a key press in one canonical spelling: `Ctrl+Shift+T`, `Meta+P`, `F5`. */
export function pressedKey(press: KeyPress): string {
  const base = baseKey(press);
  // The slash of a German keyboard is Shift and 7: that Shift is part of the symbol, not of the accelerator.
  const shift = press.shiftKey && (SYMBOLS[press.key] ?? press.code) === press.code;
  return `${press.ctrlKey ? 'Ctrl+' : ''}${press.metaKey ? 'Meta+' : ''}${press.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${base}`;
}

/** An accelerator of `shared/commands.ts` in the same spelling. */
export function canonicalKey(accelerator: string, mac: boolean = isMac): string {
  const parts = accelerator.split('+');
  const base = parts.pop() ?? '';
  const has = (...names: string[]): boolean => parts.some((part) => names.includes(part));
  const ctrl = has('Ctrl') || (!mac && has('CmdOrCtrl'));
  const meta = mac && has('CmdOrCtrl');
  return `${ctrl ? 'Ctrl+' : ''}${meta ? 'Meta+' : ''}${has('Alt') ? 'Alt+' : ''}${has('Shift') ? 'Shift+' : ''}${base}`;
}

/** The key press as a setting: `CmdOrCtrl` wherever that means the same key; null while only a modifier is pressed. */
export function chosenKey(press: KeyPress, mac: boolean = isMac): string | null {
  if (/^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/.test(press.key)) return null;
  const names = pressedKey(press).replace(mac ? 'Meta+' : 'Ctrl+', 'CmdOrCtrl+');
  return readAccelerator(names);
}

/** “Ctrl Shift T”, “⇧⌘T”. */
export function keyLabel(accelerator: string, mac: boolean = isMac): string {
  // The key may be the plus itself: “Ctrl++”.
  const parts = accelerator.split(/\+(?=.)/);
  if (!mac) return parts.map((part) => (part === 'CmdOrCtrl' ? 'Ctrl' : (SIGNS[part] ?? part))).join(' ');
  const symbols: Readonly<Record<string, string>> = {
    CmdOrCtrl: '⌘',
    Ctrl: '⌃',
    Alt: '⌥',
    Shift: '⇧',
    Backspace: '⌫',
    Enter: '↩',
    ...SIGNS,
  };
  const order = ['Ctrl', 'Alt', 'Shift', 'CmdOrCtrl'];
  const modifiers = order.filter((name) => parts.slice(0, -1).includes(name));
  return [...modifiers, parts.at(-1) ?? ''].map((part) => symbols[part] ?? part).join('');
}

/** Letters and digits use `key` if it is Latin, so that Dvorak works, and `code` otherwise, so that Cyrillic works. */
function baseKey({ key, code, shiftKey }: KeyPress): string {
  if (/^F\d{1,2}$/.test(key)) return key;
  const named = NAMED_KEYS[key];
  if (named) return named;
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  if (SYMBOLS[key] !== undefined) return key;
  const physical = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  if (physical) return (physical[1] ?? physical[2])!;
  return (shiftKey && WITH_SHIFT[key]) || key;
}
