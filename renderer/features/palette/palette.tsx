// Go to anything, run any command.
import { Dialog } from '@base-ui/react/dialog';
import {
  AppWindow,
  Bookmark,
  Database,
  Eye,
  CircleHelp,
  ListTree,
  Search,
  Settings2,
  SquareChevronRight,
  Table2,
  TableProperties,
  Zap,
} from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { CommandId } from '#shared/commands.ts';
import type { LibraryEntry, SavedQuery, SchemaObject } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { isDesktop } from '../../connection/shell.ts';
import { chooseCommand, useCommand, useEnabledCommands } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { useSchema } from '../../state/schema.ts';
import { objectMenu } from '../../workbench/objects/object-menu.ts';
import { applySavedQuery, useSavedQueries } from '../../workbench/text/saved-queries.ts';
import { openQueryLog } from '../../workbench/tabs/query-log.ts';
import { openSearch } from '../../workbench/tabs/search.ts';
import { openSettings } from '../../workbench/tabs/settings.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { activateTab, notify, setOverlay, showLibrary, useStore } from '../../state/store.ts';
import { settingNow } from '../../state/settings.ts';
import { focusAtOnce } from '../../ui/focus-at-once.ts';
import { ModalLayer } from '../../ui/modal-layer.tsx';
import { actionItems, paletteItems, rankItems } from './palette-items.ts';
import type { PaletteItem, PaletteWorld, RankedItem } from './palette-items.ts';
import './palette.css';

const ICONS = {
  tab: AppWindow,
  table: Table2,
  view: Eye,
  virtual: TableProperties,
  shadow: Table2,
  index: ListTree,
  trigger: Zap,
  saved: Bookmark,
  database: Database,
  command: SquareChevronRight,
  setting: Settings2,
  answer: CircleHelp,
  search: Search,
};

/** Always mounted; visible while `overlay` says so. */
export function Palette({ onDatabase }: { readonly onDatabase: (entry: LibraryEntry) => void }): ReactNode {
  const isOpen = useStore((state) => state.overlay === 'palette');
  /** Work that waits until the dialog is closed. */
  const waiting = useRef<readonly (() => void)[]>([]);
  const field = useRef<HTMLInputElement>(null);
  useCommand('palette.show', () => setOverlay('palette'));

  // Commands of the grid and the editor need the focus where it was, which the dialog restores once it is gone. If it is reopened before
  // that, the chosen command waits. A tab does not: only its focus comes later.
  const choose = ({ target }: PaletteItem): void => {
    const isTab = target.kind === 'tab' || target.kind === 'object';
    if (isTab) showTab(target);
    waiting.current = [...waiting.current, isTab ? focusContent : () => run(target, onDatabase)];
    setOverlay(null);
  };
  const onOpenOrClosed = (open: boolean): void => {
    if (open) return;
    const steps = waiting.current;
    waiting.current = [];
    if (steps.length > 0) onceFocusIsBack(() => steps.forEach((step) => step()));
  };
  return (
    <ModalLayer isOpen={isOpen}>
      <Dialog.Root
        open={isOpen}
        onOpenChange={(open) => setOverlay(open ? 'palette' : null)}
        onOpenChangeComplete={onOpenOrClosed}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className="dialog-backdrop" />
          <Dialog.Popup
            className="stack clip quiet-focus palette"
            aria-label="Go to anything"
            initialFocus={focusAtOnce(field)}
          >
            <PaletteSearch field={field} onChoose={choose} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </ModalLayer>
  );
}

/** Runs once the focus is back, before the next key can overtake the command; after two frames if nothing had the focus. */
function onceFocusIsBack(run: () => void): void {
  const over = new AbortController();
  const once = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    run();
  };
  window.addEventListener('focusin', () => queueMicrotask(once), { capture: true, signal: over.signal });
  requestAnimationFrame(() => requestAnimationFrame(once));
}

interface PaletteSearchProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onChoose: (item: PaletteItem) => void;
}

function PaletteSearch({ field, onChoose }: PaletteSearchProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [cursor, setCursor] = useState(0);
  /** The object whose actions are listed; null: everything is listed. */
  const [subject, setSubject] = useState<SchemaObject | null>(null);
  const id = useId();
  const enabled = useEnabledCommands();
  const items = useItems(subject, enabled);
  const ranked = useMemo(
    () => (subject ? rankItems(items, typed) : rankItems(items, typed, enabled)),
    [items, typed, subject, enabled],
  );
  const at = Math.min(cursor, ranked.length - 1);
  useCommand('palette.show', () => setOverlay(null));

  const list = (of: SchemaObject | null): void => {
    setSubject(of);
    setTyped('');
    setCursor(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    const current = ranked[at];
    if (step !== undefined) setCursor(Math.max(0, Math.min(ranked.length - 1, at + step)));
    else if (event.key === 'Enter' && current) onChoose(current.item);
    else if (event.key === 'Tab' && current?.item.target.kind === 'object') list(current.item.target.object);
    else if (event.key === 'Backspace' && typed === '' && subject) list(null);
    else return;
    event.preventDefault();
  };
  const prompt = subject
    ? `Actions of ${subject.kind} ${visibleName(subject.name)}`
    : 'Go to anything, run any command';
  return (
    <>
      <input
        ref={field}
        className="fixed quiet-focus palette-input"
        role="combobox"
        aria-expanded={ranked.length > 0}
        aria-controls={ranked.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={ranked.length > 0 ? `${id}-${at}` : undefined}
        aria-label={prompt}
        placeholder={prompt}
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setCursor(0);
        }}
        onKeyDown={onKeyDown}
      />
      <PaletteList id={id} ranked={ranked} at={at} typed={typed} onChoose={onChoose} />
    </>
  );
}

/** Everything to open and to run, or the actions of one object. */
function useItems(subject: SchemaObject | null, enabled: ReadonlySet<CommandId>): readonly PaletteItem[] {
  const tabs = useStore((state) => state.tabs);
  const entries = useStore((state) => state.entries) ?? NONE;
  const database = useStore((state) => state.currentDatabase);
  const schema = useSchema(database);
  const titles = useHistoryTitles();
  const saved = useSavedQueries((state) => state.queries) ?? NONE_SAVED;
  return useMemo(
    () =>
      subject && database
        ? actionItems(objectMenu(database, subject))
        : paletteItems({ tabs, schema, entries, saved, enabled, titles, keys: settingNow('keys'), isDesktop }),
    [tabs, schema, entries, saved, enabled, titles, subject, database],
  );
}

interface PaletteListProps {
  readonly id: string;
  readonly ranked: readonly RankedItem[];
  readonly at: number;
  readonly typed: string;
  readonly onChoose: (item: PaletteItem) => void;
}

function PaletteList({ id, ranked, at, typed, onChoose }: PaletteListProps): ReactNode {
  // A list box may not be empty.
  if (ranked.length === 0)
    return (
      <p className="dim palette-empty" role="status">
        Nothing matches “{typed}”.
      </p>
    );
  return (
    <div className="palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
      {ranked.map((match, index) => (
        <PaletteRow
          key={match.item.key}
          match={match}
          id={`${id}-${index}`}
          isCurrent={index === at}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

function useHistoryTitles(): NonNullable<PaletteWorld['titles']> {
  const history = useStore(({ histories, currentDatabase }) =>
    currentDatabase ? histories[currentDatabase] : undefined,
  );
  return useMemo(
    () => ({
      ...(history?.undo && { 'history.undo': `Undo ${history.undo.title}` }),
      ...(history?.redo && { 'history.redo': `Redo ${history.redo.title}` }),
    }),
    [history],
  );
}

interface PaletteRowProps {
  readonly match: RankedItem;
  readonly id: string;
  readonly isCurrent: boolean;
  readonly onChoose: (item: PaletteItem) => void;
}

function PaletteRow({ match: { item, places, phrase }, id, isCurrent, onChoose }: PaletteRowProps): ReactNode {
  const Icon = ICONS[item.kind];
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <div
      ref={element}
      className="row gap-10 palette-item"
      role="option"
      id={id}
      aria-selected={isCurrent}
      onClick={() => onChoose(item)}
    >
      <Icon size={15} />
      <span className="shrink-x clip palette-label">{marked(item.label, places)}</span>
      {phrase !== undefined && <span className="cut note palette-phrase">{phrase}</span>}
      <span className="small faint one-line push-end palette-hint">
        {isCurrent && item.target.kind === 'object' ? (
          <>
            <kbd>Tab</kbd> Actions
          </>
        ) : (
          item.hint
        )}
      </span>
    </div>
  );
}

function marked(label: string, places: readonly number[]): ReactNode {
  if (places.length === 0) return label;
  const hit = new Set(places);
  return [...label].map((letter, index) => (hit.has(index) ? <b key={index}>{letter}</b> : letter));
}

type Target = PaletteItem['target'];
type TabTarget = Extract<Target, { kind: 'tab' | 'object' }>;

function showTab(target: TabTarget): void {
  const { currentDatabase } = useStore.getState();
  showLibrary(false);
  if (target.kind === 'tab') activateTab(target.id);
  else if (currentDatabase) openTable(currentDatabase, target.table);
}

function run(target: Exclude<Target, TabTarget>, onDatabase: (entry: LibraryEntry) => void): void {
  if (target.kind === 'command') return chooseCommand(target.id);
  if (target.kind === 'database') return onDatabase(target.entry);
  if (target.kind === 'saved') return applySavedQuery(target.query);
  if (target.kind === 'setting') return openSettings({ at: target.key });
  if (target.kind === 'answer') return notify({ tone: 'info', text: target.text });
  showLibrary(false);
  if (target.kind === 'action') return target.run();
  searchIn(target);
  focusContent();
}

function searchIn({ where, text }: Extract<Target, { kind: 'search' }>): void {
  const { currentDatabase } = useStore.getState();
  if (where === 'settings') openSettings({ words: text });
  else if (where === 'runs') openQueryLog(text);
  else if (currentDatabase) openSearch(currentDatabase, text);
}

const NONE: readonly LibraryEntry[] = [];
const NONE_SAVED: readonly SavedQuery[] = [];
