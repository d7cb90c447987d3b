// The title bar of a window that has none of the system: the menu, the title, and the buttons of the window.
import { Copy, Minus, Square, X, Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore, useRef } from 'react';
import type { ReactNode, KeyboardEvent, RefObject } from 'react';
import type { WindowSize } from '#shared/shell-api.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { PaneBoundary } from '../../ui/pane-boundary.tsx';
import { UiProvider } from '../../ui/provider.tsx';
import { windowTitleOf } from '../../workbench/window-title.ts';
import { Menu as Base } from '@base-ui/react/menu';
import type { MenuName, Command } from '#shared/commands/command.ts';
import { MENUS, CLEAR_RECENT, idOfRole, menuParts, type SystemMenu, type MenuPart } from '#shared/menu.ts';
import { useSetting } from '../../state/settings.ts';
import { MenuEntries, type MenuEntry, type Submenu } from '../../ui/menu.tsx';
import { chooseInMenu, useMenuStates } from '../../workbench/commands/commands.ts';
import { useMenuBar, type MenuBarState } from './use-menu-bar.ts';
import type { CommandId } from '#shared/commands.ts';
import type { ChosenKeys } from '#shared/settings/definitions.ts';
import { visibleName } from '#shared/visible-text.ts';
import { keyLabel, keysHere } from '../../workbench/commands/key-map.ts';
import './title-bar.css';

/** In a narrower window the title would have no room beside the menus. */
const NARROW = matchMedia('(max-width: 800px)');

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      NARROW.addEventListener('change', listener);
      return () => NARROW.removeEventListener('change', listener);
    },
    () => NARROW.matches,
  );
}

/** Whatever fails in the menu, the window can be moved and closed. @param hasButtons Windows draws its own, and its own border */
export function TitleBar({ hasButtons }: { readonly hasButtons: boolean }): ReactNode {
  const isFocused = useWindowFocus();
  return (
    <div
      role="region"
      aria-label="Title bar"
      className="sunken ruled title-bar"
      data-inactive={!isFocused || undefined}
    >
      <PaneBoundary name="The menu" variant="line">
        <UiProvider>
          <MenuAndTitle />
        </UiProvider>
      </PaneBoundary>
      {hasButtons ? <WindowButtons /> : <span />}
    </div>
  );
}

function MenuAndTitle(): ReactNode {
  const title = useStore(windowTitleOf);
  const isCollapsed = useNarrow();
  return (
    <>
      <MenuBar key={String(isCollapsed)} isCollapsed={isCollapsed} />
      {/* A new title is a new element: a text in the middle would move when it changes. */}
      <span key={title} className="cut dim small window-title">
        {title}
      </span>
    </>
  );
}

/** The title of a window in the background is faint. */
function useWindowFocus(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const over = new AbortController();
      for (const event of ['focus', 'blur']) window.addEventListener(event, listener, { signal: over.signal });
      return () => over.abort();
    },
    () => document.hasFocus(),
  );
}

/** Screen readers and the keyboard have the commands of the system for these, as with a bar of the system. */
function WindowButtons(): ReactNode {
  const [size, setSize] = useState<WindowSize>('normal');
  useEffect(() => {
    shell.onWindowSize(setSize).catch(notifyFailure);
  }, []);
  useEffect(() => {
    document.documentElement.dataset['windowSize'] = size;
  }, [size]);
  const [label, icon] = SIZE_BUTTONS[size];
  return (
    <span className="row window-buttons" aria-hidden>
      <WindowButton label="Minimize" onPress={shell.minimizeWindow}>
        <Minus size={15} />
      </WindowButton>
      <WindowButton label={label} onPress={shell.maximizeWindow}>
        {icon}
      </WindowButton>
      <WindowButton label="Close" isClosing onPress={shell.closeWindow}>
        <X size={16} />
      </WindowButton>
    </span>
  );
}

const SIZE_BUTTONS: Readonly<Record<WindowSize, readonly [label: string, icon: ReactNode]>> = {
  normal: ['Maximize', <Square key="normal" size={12} />],
  maximized: ['Restore', <Copy key="maximized" size={13} className="restore-icon" />],
  'full-screen': ['Leave full screen', <Copy key="full-screen" size={13} className="restore-icon" />],
};

interface WindowButtonProps {
  readonly label: string;
  readonly onPress: () => Promise<void>;
  readonly isClosing?: boolean;
  readonly children: ReactNode;
}

/** Keeps the focus where it is. */
function WindowButton({ label, onPress, isClosing = false, children }: WindowButtonProps): ReactNode {
  return (
    <button
      type="button"
      tabIndex={-1}
      className="centered window-button"
      title={label}
      data-closes={isClosing || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => void onPress().catch(notifyFailure)}
    >
      {children}
    </button>
  );
}

/** @param isCollapsed one button has all menus */
function MenuBar({ isCollapsed }: { readonly isCollapsed: boolean }): ReactNode {
  const bar = useRef<HTMLDivElement>(null);
  const state = useMenuBar(bar, isCollapsed);
  const { open, openedBy, isBlocked, underlines, show, close, toggle, step } = state;
  const world = useMenuWorld(open !== null, close);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') step(event.key === 'ArrowRight' ? 1 : -1);
    else if (/^(?:ArrowDown|ArrowUp|Enter| )$/.test(event.key)) show(nameOf(event.target), 'key');
    else if (!showByLetter(event.key, show)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const item = (name: MenuName | null, content: ReactNode): ReactNode => (
    <button
      key={name}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className="row-inline menu-bar-item"
      data-menu={name ?? ''}
      aria-label={name ?? 'Menu'}
      aria-haspopup="menu"
      aria-expanded={name ? open === name : open !== null}
      aria-keyshortcuts={name ? `Alt+${name[0]}` : 'F10'}
      disabled={isBlocked}
      onPointerDown={(event) => {
        event.preventDefault();
        if (event.button === 0) toggle(name);
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail }) => detail === 0 && show(name, 'key')}
      onPointerEnter={() => open !== null && open !== (name ?? 'all') && !isCollapsed && show(name, 'pointer')}
    >
      {content}
    </button>
  );
  return (
    <>
      <div
        ref={bar}
        role="menubar"
        aria-label="Main menu"
        className="row menu-bar"
        data-borrows-focus
        data-underlines={underlines || undefined}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {isCollapsed ? item(null, <MenuIcon size={16} />) : MENUS.map((name) => item(name, <Mnemonic name={name} />))}
      </div>
      {open !== null && (
        <OpenMenu key={`${open} ${openedBy}`} bar={bar} state={state} entries={entriesIn(open, world)} />
      )}
    </>
  );
}

/** In a narrow window, the menus are submenus of one. */
function entriesIn(open: MenuName | 'all', world: MenuWorld): readonly MenuEntry[] {
  if (open !== 'all') return entriesOf(open, world);
  return MENUS.map((name) => ({ submenu: name, entries: entriesOf(name, world) }));
}

const nameOf = (target: EventTarget): MenuName | null =>
  (target instanceof HTMLElement && (target.dataset['menu'] as MenuName)) || null;

/** The letter that is underlined while Alt is held down. */
function Mnemonic({ name }: { readonly name: MenuName }): ReactNode {
  return (
    <span>
      <span className="mnemonic">{name[0]}</span>
      {name.slice(1)}
    </span>
  );
}

function showByLetter(key: string, show: MenuBarState['show']): boolean {
  const name = MENUS.find((one) => one[0] === key.toUpperCase());
  if (name) show(name, 'key');
  return name !== undefined;
}

interface OpenMenuProps {
  readonly bar: { readonly current: HTMLElement | null };
  readonly state: MenuBarState;
  readonly entries: readonly MenuEntry[];
}

function OpenMenu({ bar, state, entries }: OpenMenuProps): ReactNode {
  const { open, openedBy, isCollapsed, close, closeToBar, step } = state;
  const popup = useRef<HTMLDivElement>(null);
  const button = (): HTMLElement | null => {
    const one = bar.current?.querySelector<HTMLElement>(`[data-menu="${open === 'all' ? '' : open}"]`);
    return one ?? bar.current?.querySelector<HTMLElement>('[data-menu]') ?? null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys in a submenu are Base UI's.
    if (!popup.current?.contains(event.target as Node)) return;
    if (event.key === 'Escape' || (event.key === 'F10' && !event.shiftKey)) closeToBar();
    else if (event.key === 'Tab') close();
    else if (isCollapsed || !/^Arrow(?:Left|Right)$/.test(event.key)) return;
    // It opens a submenu.
    else if (event.key === 'ArrowRight' && (event.target as Element).matches('[aria-haspopup]')) return;
    else step(event.key === 'ArrowRight' ? 1 : -1);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Base.Root open modal={false} onOpenChange={(_open, { reason, event }) => leave(reason, event, state)}>
      <Base.Portal>
        <Base.Positioner
          className="menu-positioner"
          anchor={button}
          align="start"
          sideOffset={0}
          data-borrows-focus
          data-title-bar-menu
        >
          <Base.Popup
            ref={popup}
            className="menu"
            aria-label={open === 'all' ? 'Menu' : (open ?? undefined)}
            finalFocus={false}
            onKeyDown={onKeyDown}
          >
            <MenuEntries entries={entries} />
            <FirstFocus popup={popup} isOnEntry={openedBy === 'key'} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface FirstFocusProps {
  readonly popup: RefObject<HTMLElement | null>;
  readonly isOnEntry: boolean;
}

/** Moves the focus into the menu as soon as its entries are there: a key pressed before Base UI does it would go to the bar. */
function FirstFocus({ popup, isOnEntry }: FirstFocusProps): null {
  useEffect(() => {
    const first = isOnEntry ? popup.current?.querySelector<HTMLElement>(ITEM) : null;
    (first ?? popup.current)?.focus({ preventScroll: true });
  }, [popup, isOnEntry]);
  return null;
}

const ITEM = '[role^="menuitem"]:not([aria-disabled="true"])';

/** Base UI wants to close the menu. Presses of the bar are its own business, and so is what had been chosen. */
function leave(reason: string, event: Event, { close, closeToBar }: MenuBarState): void {
  if (reason === 'escape-key') return closeToBar();
  const isInBar = event.target instanceof Element && event.target.closest('.menu-bar') !== null;
  if (reason === 'focus-out' ? !document.activeElement?.closest('[data-borrows-focus]') : !isInBar) close();
}

// What the menus of the title bar show now, and what choosing an entry does.

const NOTHING: SystemMenu = { recent: [], hasDevTools: false };

/** @param close closes the menu and gives the focus back, which a chosen command needs */
function useMenuWorld(isOpen: boolean, close: () => void): MenuWorld {
  const { enabled, checked } = useMenuStates();
  const keys = useSetting('keys');
  const [system, setSystem] = useState(NOTHING);
  useEffect(() => {
    // Each time a menu opens; those of the last time are shown until then.
    void shell.systemMenu().then(setSystem, () => undefined);
  }, [isOpen]);
  const after =
    (choose: (id: never) => void): ((id: string) => void) =>
    (id) => {
      close();
      choose(id as never);
    };
  return {
    enabled,
    checked,
    keys,
    system,
    onCommand: after(chooseInMenu),
    onSystemEntry: after((id: string) => void shell.chooseSystemEntry(id).catch(notifyFailure)),
  };
}

interface MenuWorld {
  readonly enabled: ReadonlySet<CommandId>;
  readonly checked: ReadonlySet<CommandId>;
  readonly keys: ChosenKeys;
  readonly system: SystemMenu;
  readonly onCommand: (id: CommandId) => void;
  /** An entry that main carries out was chosen. */
  readonly onSystemEntry: (id: string) => void;
}

function entriesOf(name: MenuName, world: MenuWorld): readonly MenuEntry[] {
  const parts = menuParts(name, { isMac: false, hasDevTools: world.system.hasDevTools });
  return parts.map((part) => entryOf(part, world));
}

function entryOf(part: MenuPart, world: MenuWorld): MenuEntry {
  if (part.kind === 'separator') return 'separator';
  if (part.kind === 'recent') return recentMenu(world);
  if (part.kind === 'command') return commandEntry(part.command, world);
  const { role, title, key } = part.entry;
  return { label: title, hint: keyLabel(key), run: () => world.onSystemEntry(idOfRole(role)) };
}

function commandEntry(command: Command, { enabled, checked, keys, onCommand }: MenuWorld): MenuEntry {
  const id = command.id as CommandId;
  const [key] = keysHere(command, keys);
  return {
    label: command.title,
    hint: key && keyLabel(key),
    disabled: !enabled.has(id),
    run: () => onCommand(id),
    ...(command.check && { checked: checked.has(id), isSwitch: command.check === 'checkbox' }),
  };
}

function recentMenu({ system: { recent }, enabled, onSystemEntry }: MenuWorld): Submenu {
  const files = recent.map(({ id, name }) => ({ label: visibleName(name), run: () => onSystemEntry(id) }));
  const clear = { label: CLEAR_RECENT.title, run: () => onSystemEntry(CLEAR_RECENT.id) };
  return {
    submenu: 'Open Recent',
    entries: [...files, 'separator', clear],
    disabled: files.length === 0 || !enabled.has('file.open'),
  };
}
