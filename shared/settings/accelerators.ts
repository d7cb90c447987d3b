// Keys as settings name them, in Electron's accelerator syntax: reading what a person wrote, and which keys cannot belong to a command.

const MODIFIERS: Readonly<Record<string, string>> = {
  cmdorctrl: 'CmdOrCtrl',
  commandorcontrol: 'CmdOrCtrl',
  ctrl: 'Ctrl',
  control: 'Ctrl',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
};
const ORDER = ['CmdOrCtrl', 'Ctrl', 'Alt', 'Shift'];

const NAMED = [
  'Insert',
  'Delete',
  'Backspace',
  'Enter',
  'Tab',
  'Space',
  'Up',
  'Down',
  'Left',
  'Right',
  'Home',
  'End',
  'PageUp',
  'PageDown',
];

/** The key in its one spelling, such as `CmdOrCtrl+Shift+T`; null if the text names no key. */
export function readAccelerator(text: string): string | null {
  const parts = text.split('+').map((part) => part.trim());
  const base = baseOf(parts.pop() ?? '');
  if (base === null) return null;
  const modifiers = parts.map((part) => MODIFIERS[part.toLowerCase()]);
  if (modifiers.includes(undefined) || new Set(modifiers).size < modifiers.length) return null;
  return [...ORDER.filter((name) => modifiers.includes(name)), base].join('+');
}

function baseOf(part: string): string | null {
  const named = NAMED.find((name) => name.toLowerCase() === part.toLowerCase());
  if (named !== undefined) return named;
  if (/^f([1-9]|1\d|2[0-4])$/i.test(part)) return part.toUpperCase();
  return /^[!-~]$/.test(part) ? part.toUpperCase() : null;
}

/** Keys that are never passed to a command: Chromium, the system, or every text field takes these. */
const RESERVED: Readonly<Record<string, string>> = {
  'CmdOrCtrl+A': 'It selects everything.',
  'CmdOrCtrl+X': 'It cuts text.',
  'CmdOrCtrl+Q': 'It quits Sidelite.',
  'CmdOrCtrl+0': 'It resets the zoom.',
  'CmdOrCtrl+-': 'It makes everything smaller.',
  'CmdOrCtrl+=': 'It makes everything larger.',
  'Alt+F4': 'It closes the window.',
};

/** Why a key cannot run a command, as a sentence; null if it can. @param accelerator as {@link readAccelerator} spells it */
export function whyReserved(accelerator: string): string | null {
  const reserved = RESERVED[accelerator.replace(/^Ctrl\+/, 'CmdOrCtrl+')];
  if (reserved !== undefined) return reserved;
  const parts = accelerator.split('+');
  const base = parts.pop() ?? '';
  const moves = /^(Up|Down|Left|Right|Home|End)$/.test(base) && !parts.includes('Alt');
  if (moves) return 'It moves the cursor in tables and text.';
  const types = parts.every((part) => part === 'Shift');
  if (types && !/^F\d+$/.test(base) && base !== 'Insert')
    return 'Without Ctrl or Alt, only function keys and Insert can run a command.';
  return null;
}
