// The settings of a database in groups: what each means, its value, and whether it can be changed.
import { useState, type FormEvent, type ReactNode } from 'react';
import { capabilitiesOf, CHANGEABLE_PRAGMAS, type ChangeablePragma, type DatabaseId } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { wordsOf } from '../../workbench/databases/database-words.tsx';
import type { SectionProps } from './section-props.ts';

export function SettingsSection({ database, overview, session }: SectionProps): ReactNode {
  return (
    <div className="health-settings">
      <p className="health-note">
        SQLite {overview.sqliteVersion}.{' '}
        {capabilitiesOf(database).connectionSettings
          ? 'Changes to settings stored in the file are steps in the history and can be undone. Other changes last until the database is closed.'
          : 'These settings are stored in the file. The server controls all others.'}
      </p>
      {settingGroups(database).map(({ title, settings }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          {settings
            .filter(({ name }) => name in overview.pragmas)
            .map((setting) => (
              <SettingLine
                key={setting.name}
                setting={setting}
                value={overview.pragmas[setting.name] ?? ''}
                onSet={(value) =>
                  void session.setPragma(setting.name as ChangeablePragma, value, labelOf(setting, value))
                }
              />
            ))}
        </section>
      ))}
    </div>
  );
}

interface SettingLineProps {
  readonly setting: Setting;
  readonly value: string;
  readonly onSet: (value: number) => void;
}

function SettingLine({ setting, value, onSet }: SettingLineProps): ReactNode {
  const { name, meaning, initial, names, change, fixed } = setting;
  return (
    <div className="gap-12 health-setting" role="group" aria-label={name}>
      <span className="clip health-setting-name selectable">{name}</span>
      <span className="shrink-x figures break-words">
        {change === 'choice' && names ? (
          <Select
            label={name}
            value={value}
            options={Object.entries(names).map(([raw, word]) => [raw, word] as const)}
            onChoose={(chosen) => onSet(Number(chosen))}
          />
        ) : change === 'number' ? (
          <NumberField key={value} name={name as ChangeablePragma} value={value} onSet={onSet} />
        ) : (
          <span className="selectable">{labelOf(setting, value)}</span>
        )}
      </span>
      <span className="health-setting-meaning">
        {meaning}
        <span className="note health-setting-more">
          {initial !== null && `SQLite’s default is ${labelOf(setting, initial)}. `}
          {fixed}
        </span>
      </span>
    </div>
  );
}

const labelOf = ({ names }: Setting, value: number | string): string => names?.[String(value)] ?? String(value);

interface NumberFieldProps {
  readonly name: ChangeablePragma;
  readonly value: string;
  readonly onSet: (value: number) => void;
}

function NumberField({ name, value, onSet }: NumberFieldProps): ReactNode {
  const [text, setText] = useState(value);
  const { least, most } = CHANGEABLE_PRAGMAS[name];
  const number = /^-?\d+$/.test(text.trim()) ? Number(text) : null;
  const why = number === null || number < least || number > most ? `A whole number from ${least} to ${most}` : null;
  const set = (event: FormEvent): void => {
    event.preventDefault();
    if (number !== null && why === null && text !== value) onSet(number);
  };
  return (
    <form className="row gap-6 health-number" onSubmit={set}>
      <TextField
        aria-label={name}
        aria-invalid={why !== null}
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {text !== value && (
        <Button type="submit" size="small" why={why}>
          Set
        </Button>
      )}
    </form>
  );
}

// The settings of a database in groups: what each means, its default, and whether it can be changed here.

interface Setting {
  readonly name: string;
  readonly meaning: string;
  /** SQLite's default; null: there is none. */
  readonly initial: string | null;
  /** Names of its numbers. */
  readonly names?: Readonly<Record<string, string>>;
  readonly change: 'number' | 'choice' | null;
  /** Why it cannot be changed here. */
  readonly fixed?: string;
}

interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

const ON_OFF = { 0: 'off', 1: 'on' } as const;
const PROTECTS = 'Protects against malicious files.';

const STORAGE: readonly Setting[] = [
  fixed(
    'page_size',
    'Size of a page in bytes. SQLite reads and writes whole pages.',
    '4096',
    'Only VACUUM outside WAL mode can change it.',
  ),
  fixed('encoding', 'How text is encoded.', 'UTF-8', 'Fixed when a database is created.'),
  {
    ...choice(
      'auto_vacuum',
      'Whether free pages are returned to the disk with each commit. Changing this rewrites the file.',
      '0',
    ),
    names: { 0: 'none', 1: 'full', 2: 'incremental' },
  },
  fixed('freelist_count', 'Free pages in the file.', null, 'VACUUM returns them to the disk.'),
  fixed('max_page_count', 'The maximum number of pages in the file.', '4294967294', 'A limit of the connection.'),
];

const durability = (own: string): readonly Setting[] => [
  fixed(
    'journal_mode',
    'How commits are made safe: with a log next to the file (wal), or by saving the old contents first (delete).',
    'delete',
    own,
  ),
  {
    ...fixed(
      'synchronous',
      'When SQLite waits for data to reach the disk.',
      '2',
      'Set it with Durability in the Database menu.',
    ),
    names: { 0: 'off', 1: 'normal', 2: 'full', 3: 'extra' },
  },
  fixed('locking_mode', 'Whether the lock is kept between transactions.', 'normal', own),
  fixed(
    'wal_autocheckpoint',
    'Number of pages in the WAL at which a commit runs a checkpoint.',
    '1000',
    'Sidelite runs checkpoints when it is idle.',
  ),
  {
    ...choice('secure_delete', 'Whether deleted data is overwritten with zeros.', '0'),
    names: { 0: 'off', 1: 'on', 2: 'fast' },
  },
];

const MEMORY: readonly Setting[] = [
  fixed(
    'cache_size',
    'Pages kept in memory; a negative number is in KiB.',
    '-2000',
    'All open databases share one budget.',
  ),
  fixed('mmap_size', 'Bytes of the file that are mapped into memory.', '0', PROTECTS),
  {
    ...fixed('temp_store', 'Where temporary tables and indexes are stored.', '0', 'Decided by the engine.'),
    names: { 0: 'default', 1: 'file', 2: 'memory' },
  },
];

const BEHAVIOR: readonly Setting[] = [
  onOff(
    'foreign_keys',
    'Whether foreign keys are enforced. Sidelite turns this on; it is not stored in the file.',
    '0',
  ),
  onOff('recursive_triggers', 'Whether a trigger may fire itself.', '0'),
  onOff('automatic_index', 'Whether SQLite may build a temporary index for a single query.', '1'),
  onOff(
    'reverse_unordered_selects',
    'Whether queries without ORDER BY return rows in reverse, to find queries that depend on their order.',
    '0',
  ),
  {
    ...choice('analysis_limit', 'Roughly how many rows of each index ANALYZE reads; 0 means all.', '0'),
    change: 'number',
  },
  {
    ...fixed('trusted_schema', 'Whether views and triggers may call functions with side effects.', '1', PROTECTS),
    names: ON_OFF,
  },
  {
    ...fixed('cell_size_check', 'Whether every page is checked when it is read.', '0', PROTECTS),
    names: ON_OFF,
  },
];

const VERSIONS: readonly Setting[] = [
  {
    ...choice(
      'user_version',
      'A number that programs can use for the version of their schema. SQLite does not use it.',
      '0',
    ),
    change: 'number',
  },
  { ...choice('application_id', 'A number that identifies the program a file belongs to.', '0'), change: 'number' },
  fixed('schema_version', 'Increases with each schema change.', null, 'SQLite uses it to detect schema changes.'),
  fixed('data_version', 'Changes when another connection commits.', null, 'SQLite maintains it.'),
];

function settingGroups(database: DatabaseId): readonly SettingGroup[] {
  const own = wordsOf(database).whyFixed;
  if (!capabilitiesOf(database).connectionSettings)
    return [
      { title: 'Storage', settings: STORAGE.map((setting) => ({ ...setting, change: null, fixed: own })) },
      { title: 'Behavior', settings: BEHAVIOR.map((setting) => ({ ...setting, change: null, fixed: own })) },
      { title: 'Versions', settings: VERSIONS },
    ];
  return [
    { title: 'Storage', settings: STORAGE },
    { title: 'Durability', settings: durability(own) },
    { title: 'Memory', settings: MEMORY },
    { title: 'Behavior', settings: BEHAVIOR },
    { title: 'Versions', settings: VERSIONS },
  ];
}

function fixed(name: string, meaning: string, initial: string | null, why: string): Setting {
  return { name, meaning, initial, change: null, fixed: why };
}

function choice(name: ChangeablePragma, meaning: string, initial: string): Setting {
  return { name, meaning, initial, change: 'choice' };
}

function onOff(name: ChangeablePragma, meaning: string, initial: string): Setting {
  return { ...choice(name, meaning, initial), names: ON_OFF };
}
