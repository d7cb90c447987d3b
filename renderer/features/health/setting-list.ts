// The settings of a database in groups: what each means, its default, and what may be done about it here.
import { isInPlace, isRemote } from '#shared/protocol/index.ts';
import type { ChangeablePragma, DatabaseId } from '#shared/protocol/index.ts';

export interface Setting {
  readonly name: string;
  readonly meaning: string;
  /** SQLite's own; null: there is none. */
  readonly initial: string | null;
  /** What its numbers are called. */
  readonly names?: Readonly<Record<string, string>>;
  readonly change: 'number' | 'choice' | null;
  /** Why it cannot be changed here. */
  readonly fixed?: string;
}

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

const ON_OFF = { 0: 'off', 1: 'on' } as const;
const PROTECTS = 'Protects from files that were made to do harm.';

const STORAGE: readonly Setting[] = [
  fixed(
    'page_size',
    'Bytes of a page, the unit in which SQLite reads and writes.',
    '4096',
    'Only a VACUUM outside of WAL mode changes it.',
  ),
  fixed('encoding', 'How text is stored.', 'UTF-8', 'Fixed when a database is created.'),
  {
    ...choice(
      'auto_vacuum',
      'Whether pages that become free are given back to the disk with each commit. Changing it rewrites the file.',
      '0',
    ),
    names: { 0: 'none', 1: 'full', 2: 'incremental' },
  },
  fixed('freelist_count', 'Free pages in the file.', null, 'VACUUM gives them back.'),
  fixed('max_page_count', 'How many pages the file may have.', '4294967294', 'A limit of the connection.'),
];

const durability = (own: string): readonly Setting[] => [
  fixed(
    'journal_mode',
    'How a commit is made safe: in a log beside the file (wal), or by keeping what was there before (delete).',
    'delete',
    own,
  ),
  {
    ...fixed(
      'synchronous',
      'When SQLite waits until data is on the disk.',
      '2',
      'Choose it as Durability in the Database menu.',
    ),
    names: { 0: 'off', 1: 'normal', 2: 'full', 3: 'extra' },
  },
  fixed('locking_mode', 'Whether the lock is kept between transactions.', 'normal', own),
  fixed(
    'wal_autocheckpoint',
    'Pages in the log after which a commit moves it into the file.',
    '1000',
    'Sidelite checkpoints while nothing else runs.',
  ),
  {
    ...choice('secure_delete', 'Whether deleted data is overwritten with zeros.', '0'),
    names: { 0: 'off', 1: 'on', 2: 'fast' },
  },
];

const MEMORY: readonly Setting[] = [
  fixed('cache_size', 'Pages kept in memory; below 0, in KiB.', '-2000', 'All open databases share one budget.'),
  fixed('mmap_size', 'Bytes of the file that are mapped into memory.', '0', PROTECTS),
  {
    ...fixed('temp_store', 'Where temporary tables and indexes are.', '0', 'Decided by the engine.'),
    names: { 0: 'default', 1: 'file', 2: 'memory' },
  },
];

const BEHAVIOR: readonly Setting[] = [
  onOff(
    'foreign_keys',
    'Whether foreign keys are enforced. Sidelite turns it on; in the file itself nothing says so.',
    '0',
  ),
  onOff('recursive_triggers', 'Whether a trigger may fire itself.', '0'),
  onOff('automatic_index', 'Whether SQLite may build an index for the length of one query.', '1'),
  onOff(
    'reverse_unordered_selects',
    'Returns rows without ORDER BY in the opposite order, to find queries that depend on it.',
    '0',
  ),
  {
    ...choice('analysis_limit', 'About how many rows of an index ANALYZE reads; 0 reads all.', '0'),
    change: 'number',
  },
  {
    ...fixed('trusted_schema', 'Whether views and triggers may call functions with side effects.', '1', PROTECTS),
    names: ON_OFF,
  },
  {
    ...fixed('cell_size_check', 'Whether every page is looked through when it is read.', '0', PROTECTS),
    names: ON_OFF,
  },
];

const VERSIONS: readonly Setting[] = [
  {
    ...choice(
      'user_version',
      'A number for programs to note which version of their schema this is. SQLite does not use it.',
      '0',
    ),
    change: 'number',
  },
  { ...choice('application_id', 'A number that tells which program a file belongs to.', '0'), change: 'number' },
  fixed('schema_version', 'Grows with each change of the schema.', null, 'SQLite needs it to notice changes.'),
  fixed('data_version', 'Differs when another connection has committed.', null, 'SQLite counts it.'),
];

function whyFixed(database: DatabaseId): string {
  if (isRemote(database)) return 'The server decides this.';
  return isInPlace(database)
    ? 'Other programs share this file. Change it in an SQL tab while none of them has it open.'
    : 'Sidelite is the only program that opens the library, and needs this.';
}

export function settingGroups(database: DatabaseId): readonly SettingGroup[] {
  const own = whyFixed(database);
  if (isRemote(database))
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
