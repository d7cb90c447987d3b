// Under which settings is measured: chosen before the run, set on every engine, and read back.

/** The durability class: `full` survives a power cut, `balanced` a crash, `memory` nothing. */
export type ProfileName = 'full' | 'balanced' | 'memory';

export const PROFILE_NAMES: readonly ProfileName[] = ['full', 'balanced', 'memory'];

/** As SQLite's pragmas of these names answer. */
export interface Pragmas {
  readonly journal_mode: 'wal' | 'delete' | 'truncate' | 'persist' | 'memory' | 'off';
  readonly synchronous: 'off' | 'normal' | 'full' | 'extra';
  readonly page_size: number;
  /** Negative: KiB, as SQLite has it. */
  readonly cache_size: number;
  readonly temp_store: 'default' | 'file' | 'memory';
  readonly foreign_keys: boolean;
  readonly locking_mode: 'normal' | 'exclusive';
  readonly mmap_size: number;
}

/** The product's own settings, on both sides. */
const PRODUCT = {
  page_size: 8192,
  cache_size: -65536,
  temp_store: 'memory',
  foreign_keys: true,
  locking_mode: 'exclusive',
  mmap_size: 0,
} as const;

export const PROFILES: Readonly<Record<ProfileName, Pragmas>> = {
  full: { journal_mode: 'wal', synchronous: 'full', ...PRODUCT },
  balanced: { journal_mode: 'wal', synchronous: 'normal', ...PRODUCT },
  memory: { journal_mode: 'memory', synchronous: 'off', ...PRODUCT },
};

export const PRAGMA_NAMES = Object.keys(PROFILES.full) as readonly (keyof Pragmas)[];

const NUMBERED = {
  synchronous: ['off', 'normal', 'full', 'extra'],
  temp_store: ['default', 'file', 'memory'],
} as const;

/** What `PRAGMA name` answered, in the words of {@link Pragmas}. */
export function pragmaFromSqlite(name: keyof Pragmas, answer: unknown): string | number | boolean {
  if (name === 'synchronous' || name === 'temp_store') return NUMBERED[name][Number(answer)] ?? String(answer);
  if (name === 'foreign_keys') return Number(answer) === 1;
  return name === 'journal_mode' || name === 'locking_mode' ? String(answer) : Number(answer);
}

/** The value as SQL writes it. */
export function pragmaToSqlite(value: Pragmas[keyof Pragmas]): string {
  return typeof value === 'boolean' ? (value ? 'ON' : 'OFF') : String(value).toUpperCase();
}

/** What is not as it was asked for. */
export interface SettingDifference {
  /** Null: a setting of an engine without SQLite's. */
  readonly pragma: keyof Pragmas | null;
  /** “page_size is 4096 instead of 8192”. */
  readonly text: string;
}

/** Empty when all are as they were asked for. */
export function pragmaDifferences(asked: Pragmas, found: Partial<Pragmas>): readonly SettingDifference[] {
  // In memory there is nothing to map, and SQLite answers nothing.
  const isThere = (name: keyof Pragmas): boolean =>
    !(name === 'mmap_size' && asked[name] === 0 && found[name] === undefined);
  return PRAGMA_NAMES.filter((name) => found[name] !== asked[name] && isThere(name)).map((pragma) => {
    const there = found[pragma] === undefined ? 'unknown' : String(found[pragma]);
    return { pragma, text: `${pragma} is ${there} instead of ${asked[pragma]}` };
  });
}
