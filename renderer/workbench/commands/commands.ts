// Commands in this window: their current handlers, and the keys that run them.
import { useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import { COMMANDS, type CommandId } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import { forgetWaitingAfterStart, runWaiting, waitForStart } from './early-commands.ts';
import { afterFocus } from './focus-content.ts';
import { canonicalKey, keyLabel, keysHere, pressedKey, type KeyPress } from './key-map.ts';
import { shell } from '../../connection/shell.ts';
import { settingNow, useSettings } from '../../state/settings.ts';
import { notify } from '../../state/store.ts';
import { sentenceCase } from '../../ui/format.ts';
import { onTopLayerChange, topLayer, useLayer, type Layer } from '../../ui/modal-layer.tsx';
import type { MenuItem } from '../../ui/menu.tsx';

interface Registration {
  readonly run: () => void;
  readonly layer: Layer;
  /** The command is about something that is on now. */
  readonly isOn: boolean;
}

interface MenuStates {
  readonly enabled: ReadonlySet<CommandId>;
  readonly checked: ReadonlySet<CommandId>;
}

const registrations = new Map<CommandId, Registration[]>();
let reportPending = false;
let listensToMenu = false;
export const useMenuStates = create<MenuStates>(() => ({ enabled: new Set(), checked: new Set() }));

interface KeyedCommand {
  readonly command: Command;
  /** Chosen by the user: such a key comes before the grid's and the editor's own action for it. */
  readonly isChosen: boolean;
}

let commandByKey = keyedCommands();

/** A key of the grid or the editor comes before the same key of the window. */
function keyedCommands(): ReadonlyMap<string, readonly KeyedCommand[]> {
  const chosen = settingNow('keys');
  const map = new Map<string, KeyedCommand[]>();
  for (const command of COMMANDS as readonly Command[]) {
    for (const key of keysHere(command, chosen)) {
      const entry = { command, isChosen: Object.hasOwn(chosen, command.id) && !isDefaultKey(command, key) };
      const canonical = canonicalKey(key);
      const others = map.get(canonical) ?? [];
      map.set(canonical, command.scope === 'window' ? [...others, entry] : [entry, ...others]);
    }
  }
  return map;
}

const isDefaultKey = (command: Command, key: string): boolean =>
  keysHere(command, {}).some((one) => canonicalKey(one) === canonicalKey(key));

/**
 * Handles `id` while the component is mounted and `isEnabled`. If there are several handlers, the newest one runs. Under a modal dialog, no
 * key and no menu entry runs it.
 * @param isOn shown by a check mark in menus, for commands with `check`
 */
export function useCommand(id: CommandId, handler: () => void, isEnabled = true, isOn = false): void {
  const latest = useRef(handler);
  const layer = useLayer();
  useLayoutEffect(() => {
    latest.current = handler;
  });
  // Registered in the commit that shows the component: a key pressed right after it appears would otherwise be lost.
  useLayoutEffect(() => {
    if (!isEnabled) return;
    return registerCommand(id, () => latest.current(), layer, isOn);
  }, [id, isEnabled, layer, isOn]);
}

/** Returns false when no handler is registered for the command now. */
export const runCommand = (id: CommandId): boolean => run(registrations.get(id)?.at(-1));

/** The newest handler that does not lie under a modal dialog. */
const inReach = (id: CommandId): Registration | undefined =>
  registrations
    .get(id)
    ?.filter(({ layer }) => layer === topLayer())
    .at(-1);

function run(registration: Registration | undefined): boolean {
  registration?.run();
  return registration !== undefined;
}

/** An entry that runs the command, for a menu in the window. */
export function commandItem(id: CommandId): MenuItem {
  const { title } = (COMMANDS as readonly Command[]).find((command) => command.id === id)!;
  return { label: sentenceCase(title), run: () => void runCommand(id), hint: commandKeyLabel(id) };
}

/** The command's key as shown to the user; undefined if it has none. */
export function commandKeyLabel(id: CommandId): string | undefined {
  const command = (COMMANDS as readonly Command[]).find((one) => one.id === id);
  const [key] = command ? keysHere(command, settingNow('keys')) : [];
  return key && keyLabel(key);
}

/** Used by parts of the window in which the key has its own meaning: typed text is saved there first. */
export const isKeyOf = (id: CommandId, event: KeyPress): boolean =>
  commandByKey.get(pressedKey(event))?.some(({ command }) => command.id === id) === true;

/** The commands that have a handler now. */
export const useEnabledCommands = create<ReadonlySet<CommandId>>(() => new Set());

/**
 * Starts listening to keys. A key reaches the page first: Electron's menu only sees keys that the page left alone, so nothing runs twice.
 * The page starts listening to the menu once a command has a handler; until then the shell keeps the chosen commands.
 */
export function startCommands(): void {
  window.addEventListener('keydown', (event) => runKey(event, false));
  window.addEventListener('keydown', (event) => runKey(event, true), { capture: true });
  useSettings.subscribe(({ values }, before) => {
    if (values.keys !== before.values.keys) commandByKey = keyedCommands();
  });
  for (const event of ['cut', 'copy', 'paste'] as const) document.addEventListener(event, runOnCells);
  // Chromium cuts nothing outside of fields, unless somebody asks for the event.
  document.addEventListener('beforecut', (event) => {
    if (inScope('grid', document.activeElement) && inReach('grid.cut')) event.preventDefault();
  });
  onTopLayerChange(scheduleReport);
  forgetWaitingAfterStart();
}

/** @param isEarly before the focused element sees the key, so that a chosen key comes before the editor's own action for it */
function runKey(event: KeyboardEvent, isEarly: boolean): void {
  if (event.defaultPrevented || event.isComposing || takesKeys(event.target)) return;
  const all = commandByKey.get(pressedKey(event));
  const candidates = all?.filter(
    ({ command: { scope, inText } }) => inScope(scope, event.target) && !(inText && isEditedText(event.target)),
  );
  const found = candidates?.find(({ command: { id } }) => inReach(id as CommandId));
  // Otherwise a browser would act on the key as well.
  if (!found && !isEarly && topLayer() !== null && candidates && candidates.length > 0) return event.preventDefault();
  if (!found && candidates?.some(({ command }) => waitForStart(command.id as CommandId))) return event.preventDefault();
  if (!found && !isEarly && all?.some(waitForFocus)) return event.preventDefault();
  if (!found || (found.isChosen && !isInGrid(event.target)) !== isEarly) return;
  event.preventDefault();
  event.stopPropagation();
  run(inReach(found.command.id as CommandId));
}

/**
 * A key of the grid or the editor can come before the focus has reached a tab just chosen. The key waits only if its command changes
 * nothing but the display: a row that was not seen yet is not deleted.
 */
const waitForFocus = ({ command: { id, scope, menu } }: KeyedCommand): boolean =>
  scope !== 'window' &&
  menu === 'View' &&
  afterFocus(() => void (inScope(scope, document.activeElement) && run(inReach(id as CommandId))));

/** The grid holds keys until a cell is stored, and the grid has no keys of its own that can be changed. */
const isInGrid = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.grid') !== null;

/** The menu's Cut, Copy, and Paste, of Electron or of a browser: they act on the cells where the focus is in a grid. */
function runOnCells(event: ClipboardEvent): void {
  if (event.defaultPrevented || !inScope('grid', document.activeElement)) return;
  if (run(inReach(`grid.${event.type as 'cut' | 'copy' | 'paste'}`))) event.preventDefault();
}

/** A field that is waiting for the key of a command. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('[data-takes-keys]');

/** Runs a command that was chosen in the window, in the text that has the focus where it is about text. */
export function chooseCommand(id: CommandId): void {
  const target = document.activeElement;
  if (!target || !isEditedText(target)) return void runCommand(id);
  if (id === 'grid.copy') document.execCommand('copy');
  else if (id === 'grid.cut') document.execCommand('cut');
  else if (id === 'grid.paste') void pasteInto(target);
  else runCommand(id);
}

/** Editors with a clipboard of their own handle the event; a plain field takes the text. */
async function pasteInto(target: Element): Promise<void> {
  const text = await shell.readClipboard();
  if (text === null || target !== document.activeElement) return;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const isOpen = target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  if (isOpen) document.execCommand('insertText', false, text);
}

/**
 * Runs a command that was chosen in the menu. Handles undo in text as Chromium's own menu entry would: first sends the event, which editors
 * with their own history handle.
 */
export function chooseInMenu(id: CommandId): void {
  const { inText } = (COMMANDS as readonly Command[]).find((command) => command.id === id) ?? {};
  const target = document.activeElement;
  if (!inText || !target || !isEditedText(target)) return runOrSay(id);
  const inputType = inText === 'undo' ? 'historyUndo' : 'historyRedo';
  const isOpen = target.dispatchEvent(new InputEvent('beforeinput', { inputType, bubbles: true, cancelable: true }));
  if (isOpen) document.execCommand(inText);
}

/** Tells the user if the menu still offers a command that can no longer run. */
function runOrSay(id: CommandId): void {
  if (run(inReach(id)) || waitForStart(id)) return;
  const { title } = (COMMANDS as readonly Command[]).find((command) => command.id === id) ?? { title: id };
  notify({ tone: 'info', text: `“${title}” is not available right now.` });
}

const isEditedText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, [contenteditable="true"], [contenteditable="true"] *');

/** The grid and the editor mark themselves with `data-scope`. Typing into a cell editor is outside the grid's scope. */
function inScope(scope: Command['scope'], target: EventTarget | null): boolean {
  if (scope === 'window') return true;
  return (
    target instanceof Element &&
    target.closest(`[data-scope="${scope}"], [data-cell-editor]`)?.matches('[data-scope]') === true
  );
}

/** Registers a command that comes and goes with data. Returns a function that removes the command. */
export function registerCommand(id: CommandId, run: () => void, layer: Layer = null, isOn = false): () => void {
  const registration: Registration = { run, layer, isOn };
  registrations.set(id, [...(registrations.get(id) ?? []), registration]);
  scheduleReport();
  return () => {
    const rest = (registrations.get(id) ?? []).filter((other) => other !== registration);
    if (rest.length > 0) registrations.set(id, rest);
    else registrations.delete(id);
    scheduleReport();
  };
}

/** Runs once per batch: switching tabs removes and adds dozens of handlers. */
function scheduleReport(): void {
  if (reportPending) return;
  reportPending = true;
  queueMicrotask(() => {
    reportPending = false;
    if (!listensToMenu) shell.onMenuCommand((id) => chooseInMenu(id as CommandId));
    listensToMenu = true;
    runWaiting(runCommand);
    const now = new Set(registrations.keys());
    if (!isSame(now, useEnabledCommands.getState())) useEnabledCommands.setState(now, true);
    const enabled = new Set([...now].filter((id) => inReach(id) !== undefined || isAboutText(id)));
    const checked = new Set([...now].filter((id) => inReach(id)?.isOn));
    const shown = useMenuStates.getState();
    if (isSame(enabled, shown.enabled) && isSame(checked, shown.checked)) return;
    useMenuStates.setState({ enabled, checked }, true);
    // The next change reports again; until then the menu offers the old commands.
    shell.setCommandStates([...enabled], [...checked]).catch(() => undefined);
  });
}

const isSame = (one: ReadonlySet<CommandId>, other: ReadonlySet<CommandId>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));

/** In a field of a dialog, Undo of the menu is about the text. */
const isAboutText = (id: CommandId): boolean =>
  (COMMANDS as readonly Command[]).some((command) => command.id === id && command.inText !== undefined);
