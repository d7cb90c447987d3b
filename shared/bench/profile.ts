// The settings of a measurement: chosen before the run, set on every engine, and read back.

/** The durability class: `full` survives a power cut, `balanced` a crash, `memory` nothing. */
export type ProfileName = 'full' | 'balanced' | 'memory';

export const PROFILE_NAMES: readonly ProfileName[] = ['full', 'balanced', 'memory'];

/** Values as returned by SQLite's pragmas of these names. */
export interface Pragmas {
  readonly journal_mode: 'wal' | 'delete' | 'truncate' | 'persist' | 'memory' | 'off';
  readonly synchronous: 'off' | 'normal' | 'full' | 'extra';
  readonly page_size: number;
  /** Negative values are KiB, as in SQLite. */
  readonly cache_size: number;
  readonly temp_store: 'default' | 'file' | 'memory';
  readonly foreign_keys: boolean;
  readonly locking_mode: 'normal' | 'exclusive';
  readonly mmap_size: number;
}

/** The product's own settings, used for both sides. */
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

/** Converts the answer of `PRAGMA name` to its form in {@link Pragmas}. */
export function pragmaFromSqlite(name: keyof Pragmas, answer: unknown): string | number | boolean {
  if (name === 'synchronous' || name === 'temp_store') return NUMBERED[name][Number(answer)] ?? String(answer);
  if (name === 'foreign_keys') return Number(answer) === 1;
  return name === 'journal_mode' || name === 'locking_mode' ? String(answer) : Number(answer);
}

/** The value as written in SQL. */
export function pragmaToSqlite(value: Pragmas[keyof Pragmas]): string {
  return typeof value === 'boolean' ? (value ? 'ON' : 'OFF') : String(value).toUpperCase();
}

/** A setting that differs from the requested one. */
export interface SettingDifference {
  /** Null for a setting of an engine without SQLite's pragmas. */
  readonly pragma: keyof Pragmas | null;
  /** “page_size is 4096 instead of 8192”. */
  readonly text: string;
}

/** Empty if all settings are as requested. */
export function pragmaDifferences(asked: Pragmas, found: Partial<Pragmas>): readonly SettingDifference[] {
  // A database in memory maps nothing, and SQLite returns no value.
  const isThere = (name: keyof Pragmas): boolean =>
    !(name === 'mmap_size' && asked[name] === 0 && found[name] === undefined);
  return PRAGMA_NAMES.filter((name) => found[name] !== asked[name] && isThere(name)).map((pragma) => {
    const there = found[pragma] === undefined ? 'unknown' : String(found[pragma]);
    return { pragma, text: `${pragma} is ${there} instead of ${asked[pragma]}` };
  });
}
