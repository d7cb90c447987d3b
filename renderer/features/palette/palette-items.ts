// Everything that the palette can open or run, and the order in which it is shown.
import { visibleLine, visibleName } from '#shared/visible-text.ts';
import { COMMANDS, type CommandId } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import { SECTIONS, SETTINGS, type ChosenKeys, type Setting, type SettingKey } from '#shared/settings/definitions.ts';
import type { LibraryEntry, SavedQuery, SchemaObject, SchemaSnapshot } from '#shared/protocol/index.ts';
import { keyLabel, keysHere } from '../../workbench/commands/key-map.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { Tab } from '../../state/slices/tabs.ts';
import { titleAmong } from '../../state/tab-kinds.ts';
import { ANSWERS, COMMAND_WORDS, SETTING_WORDS } from '../../workbench/commands/search-words.ts';

const WORD_SCORE = 10;
const LETTER_SCORE = 8;
const WHOLE_WORD_BONUS = 12;
const WHOLE_PHRASE_BONUS = 14;
/** Less than what the same words in a label are worth. */
const PHRASE_COST = 6;
/** An item that a phrase finds comes before others if its label has the typed letters, too, as “Back Up” has those of “backup”. */
const LETTERS_BONUS = 3;
/** A phrase counts more, the fewer other words it has. */
const WORD_COST = 0.1;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_&]+/gu) ?? [];

function hasWords(typed: string, label: string): boolean {
  const text = label.toLowerCase();
  const words = wordsOf(typed);
  return words.length > 0 && words.every((word) => text.includes(word));
}

interface PhraseMatch extends Match {
  readonly phrase: string;
  readonly isNamed: true;
}

/**
 * Each typed word begins a word of one of the phrases or of the label, and one begins a word of the phrase.
 *
 * @param phrases separated by commas
 */
function matchPhrases(typed: string, label: string, phrases: string): PhraseMatch | null {
  const words = wordsOf(typed);
  const ofLabel = wordsOf(label);
  let best: PhraseMatch | null = null;
  for (const phrase of phrases.split(', ')) {
    const ofPhrase = wordsOf(phrase);
    const own = words.map((word) => wordScore(word, ofPhrase));
    const scores = words.map((word, index) => own[index] ?? wordScore(word, ofLabel));
    if (words.length === 0 || own.every((score) => score === null) || scores.includes(null)) continue;
    const whole = words.length === ofPhrase.length && ofPhrase.every((word, index) => word === words[index]);
    const cost = PHRASE_COST + ofPhrase.length * WORD_COST;
    const score = scores.reduce<number>((sum, one) => sum + one!, whole ? WHOLE_PHRASE_BONUS : 0) - cost;
    if (!best || score > best.score) best = { score, places: [], phrase, isNamed: true };
  }
  return best;
}

/** Null unless each typed word begins a word of the label. Whole words count more, the more so the fewer others there are. */
function labelScore(typed: string, label: string): number | null {
  const words = wordsOf(typed);
  const ofLabel = wordsOf(label);
  const scores = words.map((word) => wordScore(word, ofLabel));
  if (words.length === 0 || scores.includes(null)) return null;
  const isWhole = words.every((word) => ofLabel.includes(word));
  const bonus = isWhole ? (WHOLE_PHRASE_BONUS * words.length) / ofLabel.length : 0;
  return scores.reduce<number>((sum, one) => sum + one!, bonus);
}

function wordScore(typed: string, words: readonly string[]): number | null {
  if (!words.some((word) => word.startsWith(typed))) return null;
  const length = [...typed].length;
  return WORD_SCORE + LETTER_SCORE * (length - 1) + (words.includes(typed) ? WHOLE_WORD_BONUS : 0);
}

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
    | 'command'
    | 'setting'
    | 'answer'
    | 'search';
  readonly label: string;
  readonly hint: string;
  /** Phrases that also find it, separated by commas. */
  readonly words?: string | undefined;
  /** Destroys or undoes something. */
  readonly risky?: boolean;
  readonly target:
    | { readonly kind: 'tab'; readonly id: string }
    | { readonly kind: 'object'; readonly table: string; readonly object: SchemaObject }
    | { readonly kind: 'action'; readonly run: () => void }
    | { readonly kind: 'database'; readonly entry: LibraryEntry }
    | { readonly kind: 'saved'; readonly query: SavedQuery }
    | { readonly kind: 'command'; readonly id: CommandId }
    | { readonly kind: 'setting'; readonly key: SettingKey }
    | { readonly kind: 'answer'; readonly text: string }
    | { readonly kind: 'search'; readonly where: SearchPlace; readonly text: string };
}

type SearchPlace = 'tables' | 'runs' | 'settings';

export interface RankedItem {
  readonly item: PaletteItem;
  readonly places: readonly number[];
  /** The phrase that found it, if its label did not. */
  readonly phrase?: string;
}

export interface PaletteWorld {
  readonly tabs: readonly Tab[];
  readonly schema: SchemaSnapshot | null;
  readonly entries: readonly LibraryEntry[];
  readonly saved?: readonly SavedQuery[];
  readonly enabled: ReadonlySet<CommandId>;
  /** Titles that say more than the command's own: “Undo Edit Title in Album”. */
  readonly titles?: Partial<Record<CommandId, string>>;
  /** Keys that differ from the default ones. */
  readonly keys?: ChosenKeys;
  /** Settings of the installed app exist. */
  readonly isDesktop?: boolean;
}

const SHOWN = 100;
const RISKY: ReadonlySet<string> = new Set<CommandId>([
  'history.undo',
  'history.redo',
  'history.clear',
  'held.discard',
  'source.reload',
  'grid.deleteRows',
  'database.delete',
  'table.drop',
  'table.empty',
]);
/** Order of equal matches: open tabs first, commands last. */
const KIND_BONUS: Readonly<Record<PaletteItem['kind'], number>> = {
  tab: 5,
  table: 4,
  view: 3,
  virtual: 3,
  saved: 2,
  database: 2,
  command: 1,
  setting: 1,
  answer: 1,
  search: 0,
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
  isDesktop = true,
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
  return [
    ...tabItems,
    ...objectItems,
    ...savedItems,
    ...databaseItems,
    ...commandItems(enabled, titles, keys),
    ...settingItems(isDesktop),
    ...ANSWER_ITEMS,
  ];
}

function commandItems(
  enabled: ReadonlySet<CommandId>,
  titles: PaletteWorld['titles'],
  keys: ChosenKeys,
): readonly PaletteItem[] {
  return (COMMANDS as readonly Command[])
    .filter(({ id }) => enabled.has(id as CommandId) && id !== 'palette.show')
    .map((command): PaletteItem => {
      const { id, title } = command;
      const [key] = keysHere(command, keys);
      return {
        key: `command ${id}`,
        kind: 'command',
        label: titles?.[id as CommandId] ?? title,
        hint: key === undefined ? '' : keyLabel(key),
        words: COMMAND_WORDS[id as CommandId],
        risky: RISKY.has(id),
        target: { kind: 'command', id: id as CommandId },
      };
    });
}

function settingItems(isDesktop: boolean): readonly PaletteItem[] {
  return SECTIONS.flatMap(({ title: section, keys }) =>
    keys.flatMap((key): readonly PaletteItem[] => {
      const { title, desktopOnly }: Setting = SETTINGS[key];
      if (desktopOnly && !isDesktop) return [];
      const target = { kind: 'setting', key } as const;
      return [
        {
          key: `setting ${key}`,
          kind: 'setting',
          label: title,
          hint: `setting in ${section}`,
          words: SETTING_WORDS[key],
          target,
        },
      ];
    }),
  );
}

const ANSWER_ITEMS = ANSWERS.map(({ id, title, words, text }): PaletteItem => ({
  key: `answer ${id}`,
  kind: 'answer',
  label: title,
  hint: '',
  words,
  target: { kind: 'answer', text },
}));

/** What to do about a text that nothing is called: search for it elsewhere. */
function searchItems(text: string, enabled: ReadonlySet<CommandId>): readonly PaletteItem[] {
  const item = (where: SearchPlace, place: string): PaletteItem => ({
    key: `search ${where}`,
    kind: 'search',
    label: `Search ${place} for “${visibleLine(text)}”`,
    hint: '',
    target: { kind: 'search', where, text },
  });
  return [
    ...(enabled.has('search.show') ? [item('tables', 'all tables')] : []),
    ...(enabled.has('queryLog.show') ? [item('runs', 'the query history')] : []),
    item('settings', 'settings and shortcuts'),
  ];
}

/** The entries of a menu, to be found by typing. */
export function actionItems(menu: readonly MenuEntry[]): readonly PaletteItem[] {
  return menu.flatMap((entry, index): readonly PaletteItem[] => {
    if (typeof entry === 'string' || !('label' in entry) || entry.disabled) return [];
    const { label, run, danger = false } = entry;
    return [
      { key: `action ${index}`, kind: 'command', label, hint: '', risky: danger, target: { kind: 'action', run } },
    ];
  });
}

/**
 * The best matches, best first. A leading `>` searches only commands.
 *
 * @param enabled commands that can run now: if no item has the typed words in its label or its phrases, or only risky ones in phrases,
 *   searches for them elsewhere are offered. Without it, none are
 */
export function rankItems(
  items: readonly PaletteItem[],
  typed: string,
  enabled?: ReadonlySet<CommandId>,
): readonly RankedItem[] {
  const onlyCommands = typed.startsWith('>');
  const text = (onlyCommands ? typed.slice(1) : typed).trim();
  if (!text) return byKind(items.filter(({ kind }) => (onlyCommands ? kind === 'command' : !ONLY_BY_WORDS.has(kind))));
  const ranked = items.flatMap((item) => {
    if (onlyCommands && item.kind !== 'command') return [];
    const match = matchOf(item, text);
    return match ? [{ ...match, item, score: match.score + KIND_BONUS[item.kind] }] : [];
  });
  ranked.sort((a, b) => b.score - a.score);
  const isAnswered = ranked.some(({ isNamed, phrase, item }) => isNamed && !(item.risky && phrase !== undefined));
  const offers = !enabled || onlyCommands || isAnswered ? [] : searchItems(text, enabled);
  return [...ranked.slice(0, SHOWN), ...offers.map((item) => ({ item, places: [] }))];
}

/** Too many to be listed before anything is typed. */
const ONLY_BY_WORDS: ReadonlySet<PaletteItem['kind']> = new Set(['setting', 'answer']);

const byKind = (items: readonly PaletteItem[]): readonly RankedItem[] =>
  [...items]
    .sort((a, b) => KIND_BONUS[b.kind] - KIND_BONUS[a.kind])
    .slice(0, SHOWN)
    .map((item) => ({ item, places: [] }));

interface ItemMatch extends Match {
  readonly phrase?: string;
  /** It has the typed words, not only their letters. */
  readonly isNamed: boolean;
}

/** A risky item is found by its own words only: one that merely has the typed letters is not what was meant. */
function matchOf({ label, words, risky }: PaletteItem, text: string): ItemMatch | null {
  const match = fuzzyMatch(text, label);
  const isNamed = hasWords(text, label);
  const byLetters = match && (isNamed || !(risky || isScattered(label, match.places))) ? { ...match, isNamed } : null;
  const byPhrase = words === undefined ? null : matchPhrases(text, label, words);
  if (byLetters?.isNamed) {
    const scores = [byPhrase?.score, labelScore(text, label)].map((score) => score ?? -Infinity);
    return { ...byLetters, score: Math.max(byLetters.score, ...scores) };
  }
  if (!byPhrase || byPhrase.score <= (byLetters?.score ?? -Infinity)) return byLetters;
  return byLetters ? { ...byPhrase, score: byPhrase.score + LETTERS_BONUS } : byPhrase;
}

interface Match {
  readonly score: number;
  /** Positions of the matched characters in the name. */
  readonly places: readonly number[];
}

const RUN_BONUS = 8;
const WORD_START_BONUS = 10;
const FIRST_BONUS = 6;
const WHOLE_BONUS = 10;
const CASE_BONUS = 1;
const GAP_COST = 1;
const MAX_NAME = 200;

/** Null when the letters of `typed` do not all occur in `name` in this order. Spaces in `typed` are ignored. */
export function fuzzyMatch(typed: string, name: string): Match | null {
  const letters = [...typed.replace(/\s+/g, '')];
  if (letters.length === 0) return { score: 0, places: [] };
  const text = name.slice(0, MAX_NAME);
  const lower = text.toLowerCase();
  let best: Match | null = null;
  const first = letters[0]!.toLowerCase();
  // Trying each possible start finds the best run without the cost of a full alignment.
  for (let start = lower.indexOf(first); start >= 0; start = lower.indexOf(first, start + 1)) {
    const match = matchFrom(letters, text, lower, start);
    if (match && (!best || match.score > best.score)) best = match;
  }
  const whole = letters.length === text.length ? WHOLE_BONUS : 0;
  return best && { ...best, score: best.score + whole - text.length * 0.05 };
}

/** The letters are strewn over the name: more than one run of these letters begins inside a word. A person who typed a word did not mean the name. */
function isScattered(name: string, places: readonly number[]): boolean {
  const inside = places.filter((at, index) => at !== (places[index - 1] ?? -2) + 1 && !isWordStart(name, at));
  return inside.length > 1;
}

function matchFrom(letters: readonly string[], text: string, lower: string, start: number): Match | null {
  const places: number[] = [];
  let score = start === 0 ? FIRST_BONUS : 0;
  let from = start;
  for (const letter of letters) {
    const at = bestPosition(lower, text, letter.toLowerCase(), from, places.at(-1));
    if (at < 0) return null;
    const previous = places.at(-1);
    if (previous !== undefined && at === previous + 1) score += RUN_BONUS;
    else if (previous !== undefined) score -= Math.min(5, at - previous - 1) * GAP_COST;
    if (isWordStart(text, at)) score += WORD_START_BONUS;
    if (text[at] === letter) score += CASE_BONUS;
    places.push(at);
    from = at + 1;
  }
  return { score, places };
}

/** The next position of the letter; a later beginning of a word wins over a position inside the current word. */
function bestPosition(lower: string, text: string, letter: string, from: number, previous: number | undefined): number {
  const next = lower.indexOf(letter, from);
  if (next < 0 || next === (previous ?? -2) + 1 || isWordStart(text, next)) return next;
  for (let at = lower.indexOf(letter, next + 1); at >= 0; at = lower.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at;
  return next;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text[at - 1]!;
  const here = text[at]!;
  return /[\s_\-./:()]/.test(before) || (/[a-z0-9]/.test(before) && /[A-Z]/.test(here));
}
