// Operations of the health page of a database: where its bytes are, what is wrong or wasteful in it, and its settings.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';
import type { StorageClass } from './values.ts';

/** The size of one b-tree: of a table, an index, or the schema. */
export interface TreeSize {
  readonly name: string;
  /** The table that an index belongs to; otherwise the table itself. */
  readonly table: string;
  readonly kind: 'table' | 'index' | 'schema';
  readonly pages: number;
  /** Null while `pages` is an estimate. */
  readonly detail: TreeDetail | null;
}

/** Figures that SQLite counts (sqlite.org/dbstat.html). */
export interface TreeDetail {
  readonly payloadBytes: number;
  readonly unusedBytes: number;
  readonly overflowPages: number;
  readonly leafPages: number;
  /** Leaf pages that do not follow the previous one in the file; a scan in order has to jump there. */
  readonly jumps: number;
}

export interface FileSize {
  /** Identifies the committed state that was read; changes with each commit. */
  readonly mark: string;
  readonly pageSize: number;
  readonly pages: number;
  /** Pages on the freelist. */
  readonly freePages: number;
}

export interface HealthOverview extends FileSize {
  /** Null if the tree could not be read, or if there was no time. */
  readonly trees: readonly (Omit<TreeSize, 'pages'> & { readonly pages: number | null })[];
  readonly pragmas: Readonly<Record<string, string>>;
  readonly sqliteVersion: string;
  /** The statements that `PRAGMA optimize` would run now. */
  readonly optimize: readonly string[];
  /** The number of tables that have indexes, and how many of them have statistics. */
  readonly statistics: { readonly tables: number; readonly analyzed: number };
}

export interface SizesReply extends FileSize {
  readonly trees: readonly TreeSize[];
  readonly timeMs: number;
}

export interface SizesChunk {
  readonly progress: Progress;
  /** Trees counted since the previous chunk. */
  readonly trees: readonly TreeSize[];
}

/** `structure` reads the schema and statistics. The other checks read rows. */
export type CheckId = 'structure' | 'keys' | 'values' | 'text';

export type FindingFact =
  /** `covering` serves every lookup that `index` does; null means the row ids do. `isSame`: it has exactly the same columns. */
  | {
      readonly kind: 'redundant-index';
      readonly table: string;
      readonly index: string;
      readonly covering: string | null;
      readonly isSame: boolean;
    }
  /** Among `rows` rows, on average `rowsPerKey` share the same first value. */
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
  /** `count` tables lack statistics; `tables` lists some of them. */
  | { readonly kind: 'no-statistics'; readonly tables: readonly string[]; readonly count: number }
  /** The next row id is past `share`, 0 … 1, of all row ids. */
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
  /** A table that could not be read. */
  | { readonly kind: 'unreadable'; readonly table: string; readonly message: string }
  /** A message of SQLite's own integrity check. */
  | { readonly kind: 'damage'; readonly message: string };

export interface Mend {
  readonly does: 'drop-index' | 'create-index' | 'analyze' | 'set-null' | 'delete-rows' | 'to-text';
  /** One statement. */
  readonly sql: string;
}

export type Finding = FindingFact & {
  /** A condition that selects the affected rows; null if the finding is not about rows, or they cannot be selected. */
  readonly where: string | null;
  /** Alternatives: any one of them fixes the finding. */
  readonly mends: readonly Mend[];
};

export interface CheckReply {
  /** Mark of the file when the check began, as in {@link FileSize}. */
  readonly mark: string;
  readonly findings: readonly Finding[];
  /** Number of findings left out because there were too many. */
  readonly more: number;
  readonly timeMs: number;
}

export interface HealthOperations {
  /** Returns the mark of the last committed state, without delay: it tells whether figures are outdated. */
  'health.mark': Op<{ readonly database: DatabaseId }, string>;
  /** Returns first figures without delay: sizes are estimated from a few pages of each tree. */
  'health.overview': Op<{ readonly database: DatabaseId }, HealthOverview>;
  /** Counts every page, in slices; writes wait until the count is done. */
  'health.sizes': Op<{ readonly database: DatabaseId }, SizesReply, SizesChunk>;
  'health.check': Op<{ readonly database: DatabaseId; readonly check: CheckId }, CheckReply, Progress>;
  /**
   * Sets one of {@link CHANGEABLE_PRAGMAS}. Fails with `not-undoable` as `query.run` does, and with `invalid` for a value that the pragma
   * does not accept.
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
}

const SWITCH: ChangeableValues = { least: 0, most: 1 };
const INT32: ChangeableValues = { least: -(2 ** 31), most: 2 ** 31 - 1 };

/** The pragmas that the health page can set, and their allowed values. */
export const CHANGEABLE_PRAGMAS = {
  user_version: INT32,
  application_id: INT32,
  auto_vacuum: { least: 0, most: 2 },
  foreign_keys: SWITCH,
  recursive_triggers: SWITCH,
  automatic_index: SWITCH,
  reverse_unordered_selects: SWITCH,
  secure_delete: { least: 0, most: 2 },
  analysis_limit: { least: 0, most: 1_000_000 },
} as const satisfies Record<string, ChangeableValues>;

export type ChangeablePragma = keyof typeof CHANGEABLE_PRAGMAS;
