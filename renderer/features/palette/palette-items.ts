// Everything that the palette can open or run, and the order in which it is shown.
import { visibleName } from '#shared/visible-text.ts';
import type { CommandId } from '#shared/commands.ts';
import { COMMANDS } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import type { ChosenKeys } from '#shared/settings/definitions.ts';
import type { LibraryEntry, SavedQuery, SchemaObject, SchemaSnapshot } from '#shared/protocol/index.ts';
import { keyLabel, keysHere } from '../../workbench/key-map.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { Tab } from '../../state/slices/tabs.ts';
import { titleAmong } from '../../state/tab-kinds.ts';
import { fuzzyMatch } from './fuzzy.ts';

export interface PaletteItem {
  readonly key: string;
  readonly kind:
    | 'tab'
    | 'table'
    | 'view'
    | 'index'
    | 'trigger'
    | 'virtual'
    | 'shadow'
    | 'database'
    | 'saved'
    | 'command';
  readonly label: string;
  readonly hint: string;
  readonly target:
    | { readonly kind: 'tab'; readonly id: string }
    | { readonly kind: 'object'; readonly table: string; readonly object: SchemaObject }
    | { readonly kind: 'action'; readonly run: () => void }
    | { readonly kind: 'database'; readonly entry: LibraryEntry }
    | { readonly kind: 'saved'; readonly query: SavedQuery }
    | { readonly kind: 'command'; readonly id: CommandId };
}

export interface RankedItem {
  readonly item: PaletteItem;
  readonly places: readonly number[];
}

export interface PaletteWorld {
  readonly tabs: readonly Tab[];
  readonly schema: SchemaSnapshot | null;
  readonly entries: readonly LibraryEntry[];
  /** Saved queries and snippets. */
  readonly saved?: readonly SavedQuery[];
  readonly enabled: ReadonlySet<CommandId>;
  /** Titles that say more than the command's own: “Undo Edit Title in Album”. */
  readonly titles?: Partial<Record<CommandId, string>>;
  /** Keys that differ from the default ones. */
  readonly keys?: ChosenKeys;
}

const SHOWN = 100;
/** Order of equal matches: open tabs first, commands last. */
const KIND_BONUS: Readonly<Record<PaletteItem['kind'], number>> = {
  tab: 5,
  table: 4,
  view: 3,
  virtual: 3,
  saved: 2,
  database: 2,
  command: 1,
  index: 0,
  trigger: 0,
  shadow: -4,
};

export function paletteItems({
  tabs,
  schema,
  entries,
  saved = [],
  enabled,
  titles,
  keys = {},
}: PaletteWorld): readonly PaletteItem[] {
  const tabItems = tabs.map((tab): PaletteItem => {
    const label = visibleName(titleAmong(tab, tabs));
    return { key: `tab ${tab.id}`, kind: 'tab', label, hint: 'open tab', target: { kind: 'tab', id: tab.id } };
  });
  const objectItems = (schema?.objects ?? []).map((object): PaletteItem => {
    const { kind, name, tableName } = object;
    const hasRows = kind !== 'index' && kind !== 'trigger';
    return {
      key: `${kind} ${name}`,
      kind,
      label: visibleName(name),
      hint: hasRows ? kind : `${kind} of ${visibleName(tableName)}`,
      target: { kind: 'object', table: hasRows ? name : tableName, object },
    };
  });
  const databaseItems = entries.map((entry): PaletteItem => ({
    key: `database ${entry.id}`,
    kind: 'database',
    label: visibleName(entry.name),
    hint: 'database',
    target: { kind: 'database', entry },
  }));
  const savedItems = saved.map((query): PaletteItem => ({
    key: `saved ${query.id}`,
    kind: 'saved',
    label: visibleName(query.name),
    hint: [query.kind === 'snippet' ? 'snippet' : 'saved query', visibleName(query.folder)]
      .filter(Boolean)
      .join(' in '),
    target: { kind: 'saved', query },
  }));
  const commandItems = (COMMANDS as readonly Command[])
    .filter(({ id }) => enabled.has(id as CommandId) && id !== 'palette.show')
    .map((command): PaletteItem => {
      const { id, title } = command;
      const [key] = keysHere(command, keys);
      return {
        key: `command ${id}`,
        kind: 'command',
        label: titles?.[id as CommandId] ?? title,
        hint: key === undefined ? '' : keyLabel(key),
        target: { kind: 'command', id: id as CommandId },
      };
    });
  return [...tabItems, ...objectItems, ...savedItems, ...databaseItems, ...commandItems];
}

/** The entries of a menu, to be found by typing. */
export function actionItems(menu: readonly MenuEntry[]): readonly PaletteItem[] {
  return menu.flatMap((entry, index): readonly PaletteItem[] => {
    if (typeof entry === 'string' || !('label' in entry) || entry.disabled) return [];
    const { label, run } = entry;
    return [{ key: `action ${index}`, kind: 'command', label, hint: '', target: { kind: 'action', run } }];
  });
}

/** The best matches, best first. A leading `>` searches only commands. */
export function rankItems(items: readonly PaletteItem[], typed: string): readonly RankedItem[] {
  const onlyCommands = typed.startsWith('>');
  const text = (onlyCommands ? typed.slice(1) : typed).trim();
  const ranked = items.flatMap((item) => {
    if (onlyCommands && item.kind !== 'command') return [];
    const match = fuzzyMatch(text, item.label);
    return match ? [{ item, places: match.places, score: match.score + KIND_BONUS[item.kind] }] : [];
  });
  if (text) ranked.sort((a, b) => b.score - a.score);
  else ranked.sort((a, b) => KIND_BONUS[b.item.kind] - KIND_BONUS[a.item.kind]);
  return ranked.slice(0, SHOWN);
}
