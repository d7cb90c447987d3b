// Every setting, once: its values, its default, and its words. Feeds the settings page, the check of the file, and what the rest reads.

interface Words {
  readonly title: string;
  /** Its effect, in a sentence. */
  readonly meaning: string;
  /** Has an effect only in the installed app, not in a plain browser. */
  readonly desktopOnly?: boolean;
}

interface ChoiceSetting<T extends string = string> extends Words {
  readonly kind: 'choice';
  readonly initial: T;
  /** Values and their labels. */
  readonly options: readonly (readonly [T, string])[];
}

interface FlagSetting extends Words {
  readonly kind: 'flag';
  readonly initial: boolean;
}

interface NumberSetting extends Words {
  readonly kind: 'number';
  readonly initial: number;
  readonly least: number;
  readonly most: number;
  readonly unit: string;
  /** Whole numbers unless it says otherwise. */
  readonly fraction?: number;
}

interface TextSetting extends Words {
  readonly kind: 'text';
  readonly initial: string;
  readonly maxChars: number;
  /** Pattern that values must match, and the words for it. */
  readonly pattern?: RegExp;
  readonly allowed?: string;
  readonly placeholder?: string;
}

export type Setting = ChoiceSetting | FlagSetting | NumberSetting | TextSetting;

const choice = <const T extends string>(setting: Omit<ChoiceSetting<T>, 'kind'>): ChoiceSetting<T> => ({
  kind: 'choice',
  ...setting,
});
const flag = (title: string, meaning: string, initial: boolean): FlagSetting => ({
  kind: 'flag',
  title,
  meaning,
  initial,
});
const number = (setting: Omit<NumberSetting, 'kind'>): NumberSetting => ({ kind: 'number', ...setting });

/** Goes into CSS as it is, so it must not be able to end the declaration. */
const fontSetting = (title: string, meaning: string): TextSetting => ({
  kind: 'text',
  title,
  meaning,
  initial: '',
  maxChars: 100,
  pattern: /^[\p{L}\p{N} ,._-]*$/u,
  allowed: 'Font names can contain only letters, digits, spaces, and hyphens, and are separated by commas',
  placeholder: 'Default',
});

export const SETTINGS = {
  theme: choice({
    title: 'Theme',
    meaning: 'Light, dark, or the same as the system. On Linux, the menu bar follows when Sidelite starts again.',
    initial: 'system',
    options: [
      ['system', 'System'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  }),
  'interface.font': fontSetting('Interface font', 'One or more installed fonts, separated by commas.'),
  'data.font': fontSetting(
    'Font for data and SQL',
    'For cells and the SQL editor. A monospaced font keeps columns even.',
  ),
  'grid.density': choice({
    title: 'Density',
    meaning: 'The height of rows in tables and results.',
    initial: 'normal',
    options: [
      ['compact', 'Compact'],
      ['normal', 'Normal'],
      ['comfortable', 'Comfortable'],
    ],
  }),
  'grid.fontSize': number({
    title: 'Font size in cells',
    meaning: 'Rows grow taller when the text needs it.',
    initial: 12.5,
    least: 9,
    most: 24,
    unit: 'px',
    fraction: 0.5,
  }),
  'editor.fontSize': number({
    title: 'Font size in SQL',
    meaning: 'In the SQL editor.',
    initial: 13,
    least: 9,
    most: 32,
    unit: 'px',
    fraction: 0.5,
  }),
  'editor.wrap': flag('Wrap long lines', 'In the SQL editor.', false),

  'grid.groupDigits': flag(
    'Group digits',
    'Shows 1234567 as 1,234,567 in cells, except in keys. What is copied and edited stays exact.',
    false,
  ),
  'grid.dates': choice({
    title: 'Dates stored as numbers',
    meaning:
      'Shows Unix seconds, Unix milliseconds, and Julian days in DATE, DATETIME, and TIMESTAMP columns as dates with a time zone. What is copied and edited stays exact.',
    initial: 'stored',
    options: [
      ['stored', 'As stored'],
      ['utc', 'As dates in UTC'],
      ['local', 'As dates in local time'],
    ],
  }),
  'grid.null': {
    kind: 'text',
    title: 'Text for NULL',
    meaning: 'What cells show for NULL, in italics. If this is empty, NULL looks like empty text.',
    initial: 'NULL',
    maxChars: 20,
    pattern: /^[^\p{C}]*$/u,
    allowed: 'It can contain only visible characters',
  } as TextSetting,
  'grid.blobs': choice({
    title: 'Blobs',
    meaning: 'What cells show for blobs.',
    initial: 'size',
    options: [
      ['size', 'Size'],
      ['hex', 'First bytes and size'],
    ],
  }),

  'format.numbers': choice({
    title: 'Numbers',
    meaning: 'How Sidelite writes counts, sizes, and durations. This never changes data.',
    initial: 'en-US',
    options: [
      ['en-US', '1,234.5'],
      ['de-DE', '1.234,5'],
      ['fr-FR', '1 234,5'],
      ['de-CH', '1’234.5'],
    ],
  }),
  'format.dates': choice({
    title: 'Dates',
    meaning: 'How Sidelite writes when something happened.',
    initial: 'en-US',
    options: [
      ['en-US', 'Mar 9, 2026'],
      ['en-GB', '9 Mar 2026'],
      ['sv-SE', '2026-03-09'],
    ],
  }),
  'format.clock': choice({
    title: 'Time of day',
    meaning: 'On a 24-hour or 12-hour clock.',
    initial: '24',
    options: [
      ['24', '14:02'],
      ['12', '2:02 PM'],
    ],
  }),

  'history.totalMegabytes': number({
    title: 'History of a database',
    meaning: 'When it is full, the oldest steps are deleted. The history is never stored in the database file itself.',
    initial: 500,
    least: 1,
    most: 1_000_000,
    unit: 'MB',
  }),
  'history.stepMegabytes': number({
    title: 'Keep changes row by row up to',
    meaning:
      'For a larger change or a schema change, a copy of the whole database is kept instead if it fits within the limit above. If it does not fit, Sidelite asks before making the change.',
    initial: 64,
    least: 1,
    most: 500,
    unit: 'MB',
  }),
  'queryHistory.runs': number({
    title: 'Runs in the query history',
    meaning: 'When there are more, the oldest runs are deleted. Their SQL never takes more than 32 MB in total.',
    initial: 10_000,
    least: 10,
    most: 100_000,
    unit: 'runs',
  }),

  openFiles: {
    ...choice({
      title: 'Opening a file',
      meaning:
        'In place, changes go into the file itself. A library copy leaves the file as it is until you save to it.',
      initial: 'first-edit',
      options: [
        ['first-edit', 'Open it, and ask at the first edit'],
        ['ask', 'Ask each time'],
        ['copy', 'Copy it into the library'],
        ['in-place', 'Open it in place'],
      ],
    }),
    desktopOnly: true,
  },
  recentFiles: {
    ...flag(
      'Remember recent files',
      'In File › Open Recent, and in the system’s own list on Windows and macOS. Turning it off clears both.',
      true,
    ),
    desktopOnly: true,
  },
  assistants: {
    ...flag(
      'Proposals of assistants',
      'Lets assistants that “sidelite mcp --write ask” serves show you changes to files that are open here. Nothing is written unless you keep it.',
      false,
    ),
    desktopOnly: true,
  },

  'confirm.close': flag(
    'Close with unsaved work',
    'Ask before closing a tab, a database, or a window with unsaved text, a dry run, an open transaction, or unfinished work.',
    true,
  ),
  'confirm.changes': flag(
    'Change many rows without undo',
    'Ask before pasting, deleting, or emptying several rows where no history is kept.',
    true,
  ),
  'confirm.reload': flag(
    'Reload from source',
    'Ask before a library copy is replaced by its source. Undo restores it.',
    true,
  ),
  'confirm.clear': flag(
    'Clear histories',
    'Ask before clearing the history of a database or the query history, and before deleting several runs.',
    true,
  ),
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingKey = keyof typeof SETTINGS;

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

export type ConfirmationKey = Extract<SettingKey, `confirm.${string}`>;

type ValueOf<S> =
  S extends ChoiceSetting<infer T> ? T : S extends FlagSetting ? boolean : S extends NumberSetting ? number : string;

/** The keys of commands that differ from the default, by command id. An empty list: no key. */
export type ChosenKeys = Readonly<Record<string, readonly string[]>>;

export type SettingValues = { readonly [K in SettingKey]: ValueOf<(typeof SETTINGS)[K]> } & {
  readonly keys: ChosenKeys;
};

interface SettingSection {
  readonly title: string;
  readonly keys: readonly SettingKey[];
}

/** Sections in the order of the page. */
export const SECTIONS: readonly SettingSection[] = [
  {
    title: 'Appearance',
    keys: ['theme', 'interface.font', 'data.font', 'grid.density', 'grid.fontSize', 'editor.fontSize', 'editor.wrap'],
  },
  { title: 'Cells', keys: ['grid.null', 'grid.blobs', 'grid.groupDigits', 'grid.dates'] },
  { title: 'Numbers and dates', keys: ['format.numbers', 'format.dates', 'format.clock'] },
  { title: 'Files', keys: ['openFiles', 'recentFiles', 'assistants'] },
  { title: 'History', keys: ['history.totalMegabytes', 'history.stepMegabytes', 'queryHistory.runs'] },
  { title: 'Confirmations', keys: ['confirm.close', 'confirm.changes', 'confirm.reload', 'confirm.clear'] },
];
