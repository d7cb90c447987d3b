// Menus as data: under a button, and at the pointer.
import { ContextMenu as BaseContext } from '@base-ui/react/context-menu';
import { Menu as Base } from '@base-ui/react/menu';
import { Check, ChevronRight } from 'lucide-react';
import { useState, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import './menu.css';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  readonly icon?: ReactNode;
  /** Shortcut or short explanation at the right edge. */
  readonly hint?: string | undefined;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly why?: string;
  /** Shows a check mark; give it to every item of a choice. */
  readonly checked?: boolean;
  /** What is checked is turned on and off by itself: not one of a choice. */
  readonly isSwitch?: boolean;
}

export interface Submenu {
  readonly submenu: string;
  readonly entries: readonly MenuEntry[];
  readonly disabled?: boolean;
}

export type MenuEntry = MenuItem | Submenu | { readonly heading: string } | 'separator';

interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
}

export function Menu({ trigger, entries, align = 'start', side = 'bottom' }: MenuProps): ReactNode {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="menu-positioner" align={align} side={side} sideOffset={4}>
          <Base.Popup className="menu">
            <MenuEntries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ContextMenuProps {
  /** Called when the menu is about to open; without entries no menu opens. */
  readonly entriesAt: (event: MouseEvent) => readonly MenuEntry[];
  /** Box in the window of what the menu is about; null if that is nothing in particular. By default, the element under the pointer. */
  readonly boxAt?: (event: MouseEvent) => DOMRect | null;
  readonly children: ReactElement<Record<string, unknown>>;
}

/** A menu at the pointer. While it is open, what it is about is marked, and not covered. */
export function ContextMenu({ entriesAt, boxAt = elementBoxAt, children }: ContextMenuProps): ReactNode {
  const [entries, setEntries] = useState<readonly MenuEntry[]>([]);
  const [place, setPlace] = useState<MenuPlace>({ x: 0, y: 0, box: null });
  const ask = (event: MouseEvent): void => {
    const now = entriesAt(event);
    setEntries(now);
    setPlace({ x: event.clientX, y: event.clientY, box: boxAt(event) });
    if (now.length === 0) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const { box } = place;
  return (
    <BaseContext.Root>
      <BaseContext.Trigger render={children} onContextMenuCapture={ask} />
      <BaseContext.Portal>
        {box && (
          <div className="menu-target" style={{ left: box.left, top: box.top, width: box.width, height: box.height }} />
        )}
        <BaseContext.Positioner
          className="menu-positioner"
          anchor={anchorOf(place)}
          sideOffset={box ? 3 : -5}
          alignOffset={2}
        >
          <BaseContext.Popup className="menu">
            <MenuEntries entries={entries} />
          </BaseContext.Popup>
        </BaseContext.Positioner>
      </BaseContext.Portal>
    </BaseContext.Root>
  );
}

interface MenuPlace {
  readonly x: number;
  readonly y: number;
  readonly box: DOMRect | null;
}

/** The menu is below or above the whole height of its target. */
const anchorOf = ({ x, y, box }: MenuPlace): { getBoundingClientRect(): DOMRect } => ({
  getBoundingClientRect: () => new DOMRect(x, box?.top ?? y, 0, box?.height ?? 0),
});

const PARTS = '[role=treeitem], [role=option], [role=row], [role=listitem], tr, li';
/** A taller element is an area, not a thing with a name. */
const MOST_HEIGHT = 80;

function elementBoxAt({ target, currentTarget }: MouseEvent): DOMRect | null {
  const part = target instanceof Element ? target.closest(PARTS) : null;
  const boxes = [currentTarget, part].filter((element) => element !== null && currentTarget.contains(element));
  return boxes.map((element) => element!.getBoundingClientRect()).find(({ height }) => height <= MOST_HEIGHT) ?? null;
}

export function MenuEntries({ entries }: { readonly entries: readonly MenuEntry[] }): ReactNode {
  const hasIcons = entries.some(
    (entry) => typeof entry === 'object' && 'label' in entry && (entry.icon || entry.checked !== undefined),
  );
  return entries.map((entry, index) => {
    if (entry === 'separator') return <Base.Separator key={index} className="menu-separator" />;
    if ('heading' in entry)
      return (
        <div key={index} className="fine-print strong menu-heading">
          {entry.heading}
        </div>
      );
    if ('submenu' in entry) return <SubmenuItem key={index} entry={entry} hasIcons={hasIcons} />;
    const { label, run, icon, hint, danger, disabled, why, checked, isSwitch } = entry;
    const state =
      checked === undefined ? {} : { role: isSwitch ? 'menuitemcheckbox' : 'menuitemradio', 'aria-checked': checked };
    return (
      <Base.Item
        key={index}
        className={danger ? 'row gap-8 menu-item menu-danger' : 'row gap-8 menu-item'}
        disabled={disabled ?? false}
        label={label}
        title={why}
        onClick={run}
        {...state}
      >
        {hasIcons && <span className="fixed dim menu-icon">{checked ? <Check size={14} /> : icon}</span>}
        <span className="cut fill-x">{label}</span>
        {hint && <span className="small faint one-line menu-hint">{hint}</span>}
      </Base.Item>
    );
  });
}

function SubmenuItem({ entry, hasIcons }: { readonly entry: Submenu; readonly hasIcons: boolean }): ReactNode {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className="row gap-8 menu-item" label={entry.submenu} disabled={entry.disabled ?? false}>
        {hasIcons && <span className="fixed dim menu-icon" />}
        <span className="cut fill-x">{entry.submenu}</span>
        <ChevronRight size={13} aria-hidden />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner className="menu-positioner" sideOffset={-2} alignOffset={-5}>
          <Base.Popup className="menu">
            <MenuEntries entries={entry.entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
