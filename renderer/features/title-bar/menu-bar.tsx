// The menu bar in the title bar. It borrows the focus: what is chosen acts on whatever had the focus before.
import { Menu as Base } from '@base-ui/react/menu';
import { Menu as MenuIcon } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { MenuName } from '#shared/commands/command.ts';
import { MENUS, type SystemMenu } from '#shared/menu.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSetting } from '../../state/settings.ts';
import { MenuEntries, type MenuEntry } from '../../ui/menu.tsx';
import { chooseInMenu, useMenuStates } from '../../workbench/commands/commands.ts';
import { entriesOf, type MenuWorld } from './menu-entries.ts';
import { useMenuBar, type MenuBarState } from './use-menu-bar.ts';

/** @param isCollapsed one button has all menus */
export function MenuBar({ isCollapsed }: { readonly isCollapsed: boolean }): ReactNode {
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
