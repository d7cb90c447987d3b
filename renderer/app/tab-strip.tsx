// The tabs of the window: choose, close, reorder by dragging.
import { ChevronDown, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { DragEvent, KeyboardEvent, ReactNode, RefObject } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { commandKeyLabel, runCommand } from '../workbench/commands/commands.ts';
import { focusContent } from '../workbench/commands/focus-content.ts';
import { sidesOf } from '../state/slices/tabs.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { reopenClosedTab } from '../state/closed-tabs.ts';
import { isTabUnsaved, tabKindOf, titleAmong } from '../state/tab-kinds.ts';
import { activateTab, activeTab, moveTab, updateTab, useStore } from '../state/store.ts';
import { IconButton } from '../ui/button.tsx';
import { ConnectionDot } from '../workbench/databases/color-dot.tsx';
import { ContextMenu, Menu } from '../ui/menu.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { askAndCloseTab } from './closing.ts';
import { showBeside } from './split-commands.ts';
import './tab-strip.css';

const NEAREST = { block: 'nearest', inline: 'nearest' } as const;
const DRAG_TYPE = 'application/x-sidelite-tab';

export function TabStrip(): ReactNode {
  const tabs = useStore((state) => state.tabs);
  const showsDatabase = new Set(tabs.flatMap(({ database }) => database ?? [])).size > 1;
  const { drop, ...dragHandlers } = useTabDrag(tabs);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const observer = new ResizeObserver(() =>
      list.current?.querySelector('.tab:has(> [aria-selected="true"])')?.scrollIntoView(NEAREST),
    );
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target as Element).matches('[role="tab"]')) return;
    const { activeTabId } = useStore.getState();
    if (event.key === 'Delete' && activeTabId !== null) return void askAndCloseTab(activeTabId).then(focusActiveTab);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = tabs.findIndex(({ id }) => id === activeTabId);
    const next = tabs[at + step];
    if (step === 0 || !next) return;
    event.preventDefault();
    activateTab(next.id);
    focusActiveTab();
  };

  return (
    <div className="ruled-bar sunken tab-strip" data-pane>
      <div
        ref={list}
        className="tab-list"
        onKeyDown={onKeyDown}
        {...dragHandlers}
        onWheel={(event) => {
          event.currentTarget.scrollLeft += event.deltaY || event.deltaX;
        }}
      >
        {/* It owns the tabs where they are: a tab list may contain nothing else, and beside each tab is the button that closes it. */}
        <div role="tablist" aria-label="Open tabs" aria-owns={tabs.map(tabId).join(' ') || undefined} />
        {tabs.map((tab) => (
          <TabItem
            key={tab.id}
            tab={tab}
            showsDatabase={showsDatabase}
            drop={drop?.id === tab.id ? (drop.after ? 'after' : 'before') : null}
          />
        ))}
      </div>
      <div className="tab-add">
        <IconButton label="New SQL tab" shortcut={commandKeyLabel('query.new')} onClick={() => runCommand('query.new')}>
          <Plus size={15} />
        </IconButton>
        <TabListMenu list={list} tabs={tabs} />
      </div>
    </div>
  );
}

/** Id of the tab's element. */
const tabId = ({ id }: Tab): string => `tab-${id}`;

function focusActiveTab(): void {
  const tab = activeTab(useStore.getState());
  if (tab) document.getElementById(tabId(tab))?.focus();
}

interface TabDrag {
  readonly drop: { readonly id: string; readonly after: boolean } | null;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDrop: (event: DragEvent) => void;
}

function useTabDrag(tabs: readonly Tab[]): TabDrag {
  const [drop, setDrop] = useState<TabDrag['drop']>(null);

  const onDrop = (event: DragEvent): void => {
    const moved = event.dataTransfer.getData(DRAG_TYPE);
    setDrop(null);
    if (!moved || !drop || moved === drop.id) return;
    event.preventDefault();
    const rest = tabs.filter(({ id }) => id !== moved);
    moveTab(moved, rest.findIndex(({ id }) => id === drop.id) + (drop.after ? 1 : 0));
  };
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    const over = (event.target as Element).closest<HTMLElement>('[data-tab]');
    if (!over) return;
    const { left, width } = over.getBoundingClientRect();
    setDrop({ id: over.dataset['tab']!, after: event.clientX > left + width / 2 });
  };
  return { drop, onDragOver, onDragLeave: () => setDrop(null), onDrop };
}

/** Another tab chosen by pointer gets the focus in its content. The arrow keys, and a click on the tab in front, leave the focus on the strip. */
function choose(id: string): void {
  if (useStore.getState().activeTabId === id) return;
  activateTab(id);
  focusContent();
}

interface TabItemProps {
  readonly tab: Tab;
  readonly showsDatabase: boolean;
  readonly drop: 'before' | 'after' | null;
}

function TabItem({ tab, showsDatabase, drop }: TabItemProps): ReactNode {
  const isActive = useStore((state) => state.activeTabId === tab.id);
  const isShown = useStore((state) => sidesOf(state).some(({ id }) => id === tab.id));
  const isUnsaved = useStore((state) => isTabUnsaved(tab, state.tabStatus[tab.id]));
  const databaseName = useStore((state) => (tab.database && state.openDatabases[tab.database]?.entry.name) ?? '');
  const element = useRef<HTMLDivElement>(null);
  const title = visibleName(useStore(({ tabs }) => titleAmong(tab, tabs)));
  const { icon: TabIcon } = tabKindOf(tab);
  useInSight(element, isActive);

  return (
    <ContextMenu entriesAt={() => tabMenu(tab)}>
      <div
        className={classesOf({
          'tab-preview': tab.preview,
          'tab-beside': isShown && !isActive,
          'tab-unsaved': isUnsaved,
          [`tab-drop-${drop}`]: drop !== null,
        })}
        data-tab={tab.id}
        title={databaseName ? `${title}\n${databaseName}` : title}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, tab.id)}
        onPointerDown={(event) => event.button === 0 && choose(tab.id)}
        onDoubleClick={() => tab.preview && updateTab(tab.id, { preview: false })}
        onMouseDown={(event) => event.button === 1 && event.preventDefault()}
        onAuxClick={({ button }) => button === 1 && void askAndCloseTab(tab.id)}
      >
        <div
          ref={element}
          id={tabId(tab)}
          className="row shrink-x full-height gap-6 tab-handle"
          role="tab"
          aria-selected={isActive}
          aria-keyshortcuts="Delete"
          tabIndex={isActive ? 0 : -1}
        >
          <TabIcon size={13} />
          <ConnectionDot database={tab.database} />
          <span className="cut tab-title">{title || '(empty name)'}</span>
          {showsDatabase && databaseName && <span className="cut fine-print tab-database">{databaseName}</span>}
        </div>
        <button
          type="button"
          className="row-inline fixed dim tab-close"
          tabIndex={-1}
          aria-label={`Close ${title}`}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => void askAndCloseTab(tab.id)}
        >
          <X size={13} />
        </button>
      </div>
    </ContextMenu>
  );
}

/** The active tab is in sight with the button that closes it, also when its title becomes longer. */
function useInSight(element: RefObject<HTMLElement | null>, isActive: boolean): void {
  useEffect(() => {
    const tab = element.current?.closest('.tab');
    if (!isActive || !tab) return;
    const observer = new ResizeObserver(() => tab.scrollIntoView(NEAREST));
    observer.observe(tab);
    // A focus that was on the strip goes with the choice.
    if (document.activeElement?.matches('.tab-handle')) element.current?.focus({ preventScroll: true });
    return () => observer.disconnect();
  }, [element, isActive]);
}

const classesOf = (classes: Readonly<Record<string, boolean | undefined>>): string =>
  ['tab', ...Object.keys(classes).filter((name) => classes[name])].join(' ');

function tabMenu(tab: Tab): readonly MenuEntry[] {
  const { tabs, activeTabId, closedTabs } = useStore.getState();
  const at = tabs.findIndex(({ id }) => id === tab.id);
  const closeAll = (closing: readonly Tab[]) => () => void closeEach(closing);
  return [
    { label: 'Close', hint: commandKeyLabel('tab.close'), run: () => void askAndCloseTab(tab.id) },
    { label: 'Close others', run: closeAll(tabs.filter(({ id }) => id !== tab.id)), disabled: tabs.length < 2 },
    { label: 'Close to the right', run: closeAll(tabs.slice(at + 1)), disabled: at === tabs.length - 1 },
    'separator',
    ...(tab.id === activeTabId
      ? [{ label: 'Show side by side', hint: commandKeyLabel('view.split'), run: () => runCommand('view.split') }]
      : [{ label: 'Show beside the active tab', run: () => showBeside(tab) }]),
    {
      label: 'Reopen closed tab',
      hint: commandKeyLabel('tab.reopen'),
      run: reopenClosedTab,
      disabled: closedTabs.length === 0,
    },
  ];
}

async function closeEach(tabs: readonly Tab[]): Promise<void> {
  for (const { id } of tabs) await askAndCloseTab(id);
}

interface TabListMenuProps {
  /** The tabs as the strip shows them. */
  readonly list: RefObject<HTMLElement | null>;
  readonly tabs: readonly Tab[];
}

/** The list of all open tabs, at the end of a strip that cannot show all of them. */
function TabListMenu({ list, tabs }: TabListMenuProps): ReactNode {
  const isCut = useIsCut(list, tabs);
  const activeTabId = useStore((state) => state.activeTabId);
  const openDatabases = useStore((state) => state.openDatabases);
  if (!isCut) return null;
  const entries = tabs.map((tab) => ({
    label: visibleName(titleAmong(tab, tabs)) || '(empty name)',
    hint: (tab.database !== null && openDatabases[tab.database]?.entry.name) || undefined,
    checked: tab.id === activeTabId,
    run: () => {
      activateTab(tab.id);
      focusContent();
    },
  }));
  return (
    <Menu
      align="end"
      entries={entries}
      trigger={
        <IconButton label="All tabs">
          <ChevronDown size={15} />
        </IconButton>
      }
    />
  );
}

/** Whether the strip scrolls. */
function useIsCut(list: RefObject<HTMLElement | null>, tabs: readonly Tab[]): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const strip = list.current!;
    const look = (): void => setCut(strip.scrollWidth > strip.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(strip);
    look();
    return () => observer.disconnect();
  }, [list, tabs]);
  return isCut;
}
