// What a database is like: where its bytes are, what is wrong or wasteful in it, and its settings.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';
import type { StorageClass } from './values.ts';

/** The b-tree of a table or an index, or that of the schema. */
export interface TreeSize {
  readonly name: string;
  /** The table an index belongs to; otherwise the table itself. */
  readonly table: string;
  readonly kind: 'table' | 'index' | 'schema';
  readonly pages: number;
  /** Null while `pages` is an estimate. */
  readonly detail: TreeDetail | null;
}

/** What SQLite counts (sqlite.org/dbstat.html). */
export interface TreeDetail {
  readonly payloadBytes: number;
  readonly unusedBytes: number;
  readonly overflowPages: number;
  readonly leafPages: number;
  /** Leaf pages that do not follow the one before them in the file: reading in order jumps there. */
  readonly jumps: number;
}

export interface FileSize {
  /** The committed state it was read from: another one after each commit. */
  readonly mark: string;
  readonly pageSize: number;
  /** All pages of the file. */
  readonly pages: number;
  /** On the list of free pages. */
  readonly freePages: number;
}

export interface HealthOverview extends FileSize {
  /** Null: the tree could not be looked at, or there was no time. */
  readonly trees: readonly (Omit<TreeSize, 'pages'> & { readonly pages: number | null })[];
  readonly pragmas: Readonly<Record<string, string>>;
  readonly sqliteVersion: string;
  /** What `PRAGMA optimize` would run now. */
  readonly optimize: readonly string[];
  /** Tables that have indexes, and those of them that have statistics. */
  readonly statistics: { readonly tables: number; readonly analyzed: number };
}

export interface SizesReply extends FileSize {
  readonly trees: readonly TreeSize[];
  readonly timeMs: number;
}

export interface SizesChunk {
  readonly progress: Progress;
  /** Counted since the chunk before. */
  readonly trees: readonly TreeSize[];
}

/** `structure` reads the schema and statistics. The others read rows. */
export type CheckId = 'structure' | 'keys' | 'values' | 'text';

export type FindingFact =
  /** `covering` does all that `index` does; null: the row ids do. `isSame`: it has no more columns than that. */
  | {
      readonly kind: 'redundant-index';
      readonly table: string;
      readonly index: string;
      readonly covering: string | null;
      readonly isSame: boolean;
    }
  /** On average `rowsPerKey` of `rows` rows have the same first value. */
  | {
      readonly kind: 'unselective-index';
      readonly table: string;
      readonly index: string;
      readonly rows: number;
      readonly rowsPerKey: number;
    }
  | {
      readonly kind: 'key-without-index';
      readonly table: string;
      readonly columns: readonly string[];
      readonly parent: string;
    }
  | { readonly kind: 'no-primary-key'; readonly table: string }
  /** Of `count` tables; `tables` are some of them. */
  | { readonly kind: 'no-statistics'; readonly tables: readonly string[]; readonly count: number }
  /** `share` of all row ids, 0 … 1, are behind the next one. */
  | {
      readonly kind: 'row-ids-ending';
      readonly table: string;
      readonly isAutoincrement: boolean;
      readonly share: number;
    }
  | {
      readonly kind: 'broken-key';
      readonly table: string;
      readonly columns: readonly string[];
      readonly parent: string;
      readonly rows: number;
    }
  | { readonly kind: 'key-mismatch'; readonly table: string; readonly message: string }
  | {
      readonly kind: 'other-type';
      readonly table: string;
      readonly column: string;
      readonly declaredType: string;
      readonly storage: Exclude<StorageClass, 'null'>;
      readonly rows: number;
    }
  | { readonly kind: 'not-utf8'; readonly table: string; readonly column: string; readonly rows: number }
  /** A table that could not be looked at. */
  | { readonly kind: 'unreadable'; readonly table: string; readonly message: string }
  /** What SQLite's own check says. */
  | { readonly kind: 'damage'; readonly message: string };

export interface Mend {
  readonly does: 'drop-index' | 'create-index' | 'analyze' | 'set-null' | 'delete-rows' | 'to-text';
  /** One statement. */
  readonly sql: string;
}

export type Finding = FindingFact & {
  /** A condition that is true for the rows it is about; null where it is about no rows, or they cannot be told. */
  readonly where: string | null;
  /** Each by itself would do. */
  readonly mends: readonly Mend[];
};

export interface CheckReply {
  /** As in {@link FileSize}, when it began. */
  readonly mark: string;
  readonly findings: readonly Finding[];
  /** Found, and left out because there are too many. */
  readonly more: number;
  readonly timeMs: number;
}

export interface HealthOperations {
  /** Names the last committed state, at once: whether figures are from before it. */
  'health.mark': Op<{ readonly database: DatabaseId }, string>;
  /** First figures, at once: sizes are estimated from a few pages of each tree. */
  'health.overview': Op<{ readonly database: DatabaseId }, HealthOverview>;
  /** Counts every page, in slices; writes wait until it has ended. */
  'health.sizes': Op<{ readonly database: DatabaseId }, SizesReply, SizesChunk>;
  'health.check': Op<{ readonly database: DatabaseId; readonly check: CheckId }, CheckReply, Progress>;
  /**
   * Sets one of {@link CHANGEABLE_PRAGMAS}.
   * Fails with `not-undoable` as `query.run` does, and with `invalid` for a value it does not take.
   */
  'health.setPragma': Op<
    {
      readonly database: DatabaseId;
      readonly name: ChangeablePragma;
      readonly value: number;
      readonly withoutUndo?: boolean;
    },
    { readonly value: string }
  >;
}

interface ChangeableValues {
  readonly least: number;
  readonly most: number;
  /** It is in the file, and so a step of the history; otherwise it ends when the database is closed. */
  readonly isInFile: boolean;
}

const SWITCH: ChangeableValues = { least: 0, most: 1, isInFile: false };
const INT32: ChangeableValues = { least: -(2 ** 31), most: 2 ** 31 - 1, isInFile: true };

/** What may be set from the health page, and to what. */
export const CHANGEABLE_PRAGMAS = {
  user_version: INT32,
  application_id: INT32,
  auto_vacuum: { least: 0, most: 2, isInFile: true },
  foreign_keys: SWITCH,
  recursive_triggers: SWITCH,
  automatic_index: SWITCH,
  reverse_unordered_selects: SWITCH,
  secure_delete: { least: 0, most: 2, isInFile: false },
  analysis_limit: { least: 0, most: 1_000_000, isInFile: false },
} as const satisfies Record<string, ChangeableValues>;

export type ChangeablePragma = keyof typeof CHANGEABLE_PRAGMAS;
