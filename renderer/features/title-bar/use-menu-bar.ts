// Which menu of the menu bar is open, and the keys and presses that open and close menus.
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { MenuName } from '#shared/commands/command.ts';
import { MENUS } from '#shared/menu.ts';
import { borrowFocus, borrowsFocus, giveFocusBack, rememberFocus } from '../../ui/borrowed-focus.ts';
import { onTopLayerChange, topLayer } from '../../ui/modal-layer.tsx';
import { pressedKey } from '../../workbench/commands/key-map.ts';

export interface MenuBarState {
  readonly open: MenuName | 'all' | null;
  /** By key, the first entry has the focus. */
  readonly openedBy: 'key' | 'pointer';
  /** A modal dialog is open: no menu opens over it. */
  readonly isBlocked: boolean;
  /** Alt is held down, or the bar has the focus: the letters of the menus are underlined. */
  readonly underlines: boolean;
  readonly isCollapsed: boolean;
  /** @param name null: that of the only button */
  show(name: MenuName | null, by: 'key' | 'pointer'): void;
  toggle(name: MenuName | null): void;
  /** Closes the menu and gives the focus back. */
  close(): void;
  /** Closes the menu; the bar keeps the focus. */
  closeToBar(): void;
  /** Goes to the next button, and shows its menu if one is open. */
  step(by: 1 | -1): void;
}

interface Opened {
  readonly menu: MenuName | 'all';
  readonly by: 'key' | 'pointer';
}

export function useMenuBar(bar: RefObject<HTMLElement | null>, isCollapsed: boolean): MenuBarState {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [underlines, setUnderlines] = useState(false);
  const isBlocked = useSyncExternalStore(onTopLayerChange, () => topLayer() !== null);
  const open = isBlocked ? null : (opened?.menu ?? null);
  const buttons = (): readonly HTMLElement[] => buttonsOf(bar.current);
  const state: MenuBarState = {
    open,
    openedBy: opened?.by ?? 'pointer',
    isBlocked,
    underlines,
    isCollapsed,
    show(name, by) {
      borrowFocus(buttons().find((button) => button.dataset['menu'] === name) ?? buttons()[0] ?? null);
      setOpened({ menu: name ?? 'all', by });
    },
    toggle(name) {
      if (open === (name ?? 'all')) state.close();
      else state.show(name, 'pointer');
    },
    close() {
      // At once: the next key is for what had the focus before.
      flushSync(() => {
        setOpened(null);
        setUnderlines(false);
      });
      giveFocusBack();
    },
    closeToBar() {
      const button = buttons().find(({ dataset }) => dataset['menu'] === open) ?? buttons()[0];
      flushSync(() => setOpened(null));
      button?.focus();
    },
    step(by) {
      const all = buttons();
      const at = all.findIndex((one) => one.dataset['menu'] === open || one === document.activeElement);
      const next = all[(at + by + all.length) % all.length];
      if (open === null) next?.focus();
      else state.show((next?.dataset['menu'] as MenuName | undefined) || null, 'key');
    },
  };
  const latest = useRef(state);
  useLayoutEffect(() => {
    latest.current = state;
  });
  useEffect(rememberFocus, []);
  useEffect(() => {
    if (isBlocked) setOpened(null);
  }, [isBlocked]);
  useEffect(
    () => followKeys(latest, { focusBar: () => borrowFocus(buttonsOf(bar.current)[0] ?? null), setUnderlines }),
    [bar],
  );
  return state;
}

const buttonsOf = (bar: HTMLElement | null): readonly HTMLElement[] => [
  ...(bar?.querySelectorAll<HTMLElement>('[data-menu]') ?? []),
];

interface BarParts {
  focusBar(): void;
  setUnderlines(isOn: boolean): void;
}

/** Alt alone and F10 go to the bar and back, Alt with a letter opens a menu; a press elsewhere, and leaving the window, close it. */
function followKeys(state: RefObject<MenuBarState>, { focusBar, setUnderlines }: BarParts): () => void {
  const alt = new AltKey();
  const over = new AbortController();
  const { signal } = over;
  const isActive = (): boolean => state.current.open !== null || borrowsFocus(document.activeElement);
  const turn = (): void => {
    if (isActive()) return state.current.close();
    if (state.current.isBlocked) return;
    focusBar();
    setUnderlines(true);
  };
  let isAlt = false;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (state.current.isBlocked || isTakingKeys(event)) return;
    const key = pressedKey(event);
    const name = MENUS.find((menu) => key === `Alt+${menu[0]}`);
    if (isAlt) setUnderlines(true);
    else if (event.defaultPrevented) return;
    else if (name) state.current.show(name, 'key');
    else if (key === 'F10') turn();
    else return;
    // Windows would open the menu of the system.
    event.preventDefault();
  };
  // The key of a command ends the menu, and is for what had the focus before.
  const onEarlyKeyDown = (event: KeyboardEvent): void => {
    const { ctrlKey, metaKey, key } = event;
    // A field may let no one else have the key that Alt is held down for.
    isAlt = alt.down(event);
    const isOfCommand = ((ctrlKey || metaKey) && !MODIFIERS.has(key)) || (/^F\d+$/.test(key) && key !== 'F10');
    if (isOfCommand && isActive()) state.current.close();
  };
  const onKeyUp = (event: KeyboardEvent): void => {
    const isDone = alt.up(event);
    if (event.key !== 'Alt') return;
    if (isDone && !isTakingKeys(event)) turn();
    else if (!isActive()) setUnderlines(false);
  };
  const onPress = ({ target }: PointerEvent): void => {
    alt.interrupt();
    if (isActive() && !borrowsFocus(target)) state.current.close();
    else if (!isActive()) setUnderlines(false);
  };
  const onBlur = (): void => {
    alt.interrupt();
    if (isActive()) state.current.close();
    else setUnderlines(false);
  };
  window.addEventListener('keydown', onEarlyKeyDown, { capture: true, signal });
  window.addEventListener('keydown', onKeyDown, { signal });
  window.addEventListener('keyup', onKeyUp, { capture: true, signal });
  window.addEventListener('pointerdown', onPress, { capture: true, signal });
  window.addEventListener('wheel', () => alt.interrupt(), { capture: true, passive: true, signal });
  window.addEventListener('blur', onBlur, { signal });
  return () => over.abort();
}

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Meta', 'Shift', 'Alt']);

/** A field that is waiting for the key of a command. */
const isTakingKeys = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.matches('[data-takes-keys]');

// The Alt key alone: pressed and released with nothing in between, it goes to the menu bar.
interface AltPress {
  readonly key: string;
  readonly repeat: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

export class AltKey {
  #isAlone = false;

  /** Returns whether this is Alt alone, so far. */
  down({ key, repeat, ctrlKey, shiftKey, metaKey }: AltPress): boolean {
    const isAlone = key === 'Alt' && !ctrlKey && !shiftKey && !metaKey;
    // A key that is held down repeats: it stays what it was.
    if (!(isAlone && repeat)) this.#isAlone = isAlone;
    return this.#isAlone;
  }

  /** Returns whether Alt was pressed and released alone. */
  up({ key }: Pick<AltPress, 'key'>): boolean {
    const isDone = key === 'Alt' && this.#isAlone;
    this.#isAlone = false;
    return isDone;
  }

  /** Something else happened, such as a press of the pointer. */
  interrupt(): void {
    this.#isAlone = false;
  }
}
