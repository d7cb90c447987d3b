// Keys that are held back and dispatched again later: to the grid, or to the field that is open by then.
import type { KeyboardEvent } from 'react';
import type { TypeAhead } from './type-ahead.ts';

/** Holds the key back if the key has to wait. */
export function holdKey(event: KeyboardEvent, root: HTMLElement, ahead: TypeAhead): void {
  const { nativeEvent: native } = event;
  if (MODIFIERS.has(event.key)) return;
  ahead.noteInput();
  if (!ahead.isBusy || native.isComposing) return;
  if (ahead.isLate && (event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key))) return;
  // The choices under a text that could not be stored are separate buttons.
  if (event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  event.stopPropagation();
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = native;
  ahead.inTurn(() => press(root, { key, code, ctrlKey, metaKey, altKey, shiftKey }));
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);

type Key = Required<Pick<KeyboardEventInit, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>>;

function press(root: HTMLElement, key: Key): void {
  const field = root.querySelector<HTMLTextAreaElement>('[data-cell-editor] textarea');
  const target = field ?? root.querySelector<HTMLElement>('[role=grid]');
  if (!target) return;
  target.focus({ preventScroll: true });
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true });
  if (target.dispatchEvent(event) && target === field) typeInto(field, key);
}

const EDITS: Readonly<Record<string, string>> = { Backspace: 'delete', Delete: 'forwardDelete' };
const COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  x: 'cut',
  v: 'paste',
  z: 'undo',
  y: 'redo',
};

/** Repeats the browser's default action for an unhandled key; the browser does not perform it for synthetic events. */
function typeInto(field: HTMLTextAreaElement, { key, ctrlKey, metaKey, altKey, shiftKey }: Key): void {
  const isAltGr = ctrlKey && altKey;
  if ((ctrlKey || metaKey) && !isAltGr) {
    const command = shiftKey ? null : COMMANDS[key.toLowerCase()];
    if (command) document.execCommand(command);
  } else if ([...key].length === 1) document.execCommand('insertText', false, key);
  else if (key === 'Enter') document.execCommand('insertText', false, '\n');
  else if (EDITS[key]) document.execCommand(EDITS[key]);
  else moveCaret(field, key, shiftKey);
}

function moveCaret(field: HTMLTextAreaElement, key: string, extend: boolean): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const isBackward = field.selectionDirection === 'backward';
  const head = isBackward ? start : end;
  const lineStart = value.lastIndexOf('\n', head - 1) + 1;
  const lineEnd = (value.indexOf('\n', head) + value.length + 1) % (value.length + 1);
  const isPlain = start === end || extend;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: isPlain ? Math.max(0, head - 1) : start,
    ArrowRight: isPlain ? Math.min(value.length, head + 1) : end,
    Home: lineStart,
    End: lineEnd,
  };
  const to = targets[key];
  if (to === undefined) return;
  const anchor = extend ? (isBackward ? end : start) : to;
  field.setSelectionRange(Math.min(anchor, to), Math.max(anchor, to), to < anchor ? 'backward' : 'forward');
}
