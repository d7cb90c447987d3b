// Keys and menu entries of every command, in the window and under a modal dialog.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COMMANDS, type CommandId } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import { canonicalKey, keysHere, pressedKey, type KeyPress } from './key-map.ts';

/** Place on the page that has the focus: `scope` is the one it is in, or a text field. */
class Place {
  readonly scope: string;
  constructor(scope: string) {
    this.scope = scope;
  }
  matches(selector: string): boolean {
    return selector === '[data-scope]' || (selector.startsWith('input') && this.scope === 'field');
  }
  closest(selector: string): Place | null {
    return selector.includes(`"${this.scope}"`) || selector === `.${this.scope}` ? this : null;
  }
}

const shell = vi.hoisted(() => ({
  choose: (_id: string): void => undefined,
  offered: [] as readonly string[],
}));
vi.mock('../../connection/shell.ts', () => ({
  shell: {
    onMenuCommand: (listener: (id: string) => void) => (shell.choose = listener),
    setCommandStates: async (ids: readonly string[]) => void (shell.offered = ids),
  },
}));
const listeners: ((event: object) => void)[] = [];
vi.stubGlobal('Element', Place);
const clipboard: ((event: object) => void)[] = [];
const page = {
  activeElement: null as Place | null,
  addEventListener: (_kind: string, listener: (event: object) => void) => clipboard.push(listener),
  execCommand: vi.fn(),
};
vi.stubGlobal('document', page);
vi.stubGlobal('window', { addEventListener: (_kind: string, listener: () => void) => listeners.push(listener) });

const { chooseCommand, registerCommand, startCommands } = await import('./commands.ts');
const { openLayer } = await import('../../ui/modal-layer.tsx');
const { useStore } = await import('../../state/store.ts');
startCommands();

const ALL = COMMANDS as readonly Command[];
const NAMED: Readonly<Record<string, string>> = {
  Up: 'ArrowUp',
  Down: 'ArrowDown',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
};

function pressOf(accelerator: string): KeyPress {
  const parts = canonicalKey(accelerator).split('+');
  const base = parts.at(-1)!;
  const press = {
    key: NAMED[base] ?? base,
    code: { '[': 'BracketLeft', ']': 'BracketRight' }[base] ?? '',
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift'),
  };
  expect(pressedKey(press)).toBe(canonicalKey(accelerator));
  return press;
}

/** Returns whether the page has used the key, so that the browser does not. */
function press(accelerator: string, scope: string): boolean {
  let isUsed = false;
  const event = {
    ...pressOf(accelerator),
    target: new Place(scope),
    preventDefault: () => (isUsed = true),
    stopPropagation: () => undefined,
    get defaultPrevented() {
      return isUsed;
    },
  };
  for (const listener of listeners) listener(event);
  return isUsed;
}

function pressAllKeys(): void {
  for (const command of ALL)
    for (const key of keysHere(command, {}))
      for (const scope of ['grid', 'editor', 'text', 'field', '']) press(key, scope);
}

const ran: CommandId[] = [];
let end: (() => void)[] = [];
const reported = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  useStore.setState({ isRestoring: false });
  end = COMMANDS.map(({ id }) => registerCommand(id, () => ran.push(id)));
  ran.length = 0;
});
afterEach(() => end.forEach((each) => each()));

test('every command that has a key runs by it, unless another one comes before it', () => {
  pressAllKeys();
  const keyed = ALL.filter((command) => keysHere(command, {}).length > 0 && !command.takesKeyOf);
  expect(keyed.filter(({ id }) => !ran.includes(id as CommandId)).map(({ id }) => id)).toEqual(['source.save']);
});

test('no command runs under a modal dialog, by key or from the menu', async () => {
  const close = openLayer(Symbol('dialog'));
  pressAllKeys();
  for (const { id } of COMMANDS) shell.choose(id);
  expect(ran).toEqual([]);
  await reported();
  // In a field of the dialog they are about its text.
  expect(shell.offered).toEqual(['history.undo', 'history.redo']);
  close();
  await reported();
  expect(shell.offered).toHaveLength(COMMANDS.length);
  press('CmdOrCtrl+L', '');
  expect(ran).toEqual(['library.show']);
});

test('a browser does nothing with the key of a command under a modal dialog, but edits the text of its fields', () => {
  const close = openLayer(Symbol('dialog'));
  expect(press('CmdOrCtrl+P', 'field')).toBe(true);
  expect(press('CmdOrCtrl+Z', 'field')).toBe(false);
  expect(press('CmdOrCtrl+C', 'field')).toBe(false);
  close();
});

test('a command of the topmost dialog runs, and none of the dialog below', () => {
  const [lower, upper] = [Symbol('lower'), Symbol('upper')];
  const closeLower = openLayer(lower);
  end.push(registerCommand('palette.show', () => ran.push('palette.show'), lower));
  press('CmdOrCtrl+P', '');
  const closeUpper = openLayer(upper);
  press('CmdOrCtrl+P', '');
  expect(ran).toEqual(['palette.show']);
  closeUpper();
  press('CmdOrCtrl+P', '');
  expect(ran).toEqual(['palette.show', 'palette.show']);
  closeLower();
});

test('Cut, Copy, and Paste of the menu are about the cells where the focus is in a grid, and about text elsewhere', () => {
  const choose = (type: string, scope: string): boolean => {
    let isUsed = false;
    page.activeElement = new Place(scope);
    const listener = clipboard[['cut', 'copy', 'paste', 'beforecut'].indexOf(type)]!;
    listener({ type, defaultPrevented: false, preventDefault: () => (isUsed = true) });
    return isUsed;
  };
  const kinds = ['cut', 'copy', 'paste'];
  expect(kinds.map((kind) => choose(kind, 'grid'))).toEqual([true, true, true]);
  expect(ran).toEqual(['grid.cut', 'grid.copy', 'grid.paste']);
  expect([choose('copy', 'field'), choose('paste', 'editor'), choose('cut', '')]).toEqual([false, false, false]);
  // Chromium sends no “cut” outside of fields unless the event before it is answered.
  expect([choose('beforecut', 'grid'), choose('beforecut', 'field')]).toEqual([true, false]);
  const close = openLayer(Symbol('dialog'));
  expect([choose('paste', 'grid'), choose('beforecut', 'grid')]).toEqual([false, false]);
  close();
  expect(ran).toEqual(['grid.cut', 'grid.copy', 'grid.paste']);
});

test('so is Copy of the palette', () => {
  page.activeElement = new Place('grid');
  chooseCommand('grid.copy');
  expect(ran).toEqual(['grid.copy']);
  page.activeElement = new Place('field');
  chooseCommand('grid.copy');
  expect(page.execCommand).toHaveBeenCalledExactlyOnceWith('copy');
  expect(ran).toEqual(['grid.copy']);
  chooseCommand('grid.cut');
  expect(page.execCommand).toHaveBeenLastCalledWith('cut');
  chooseCommand('library.show');
  expect(ran).toEqual(['grid.copy', 'library.show']);
  page.activeElement = null;
});
