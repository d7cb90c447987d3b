// The kind of tab that compares the schemas of two databases, or of a database and a file.
import type { DatabaseId, FileToken, HistoryStep } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openTab } from '../../state/store.ts';
import { GitCompareArrows } from 'lucide-react';
import * as v from 'valibot';
import { flag, forgiving, oneOf, textOrNull } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

/** One side: a database, or a file that is only read; empty until the user has chosen one. */
export interface ComparedSide {
  readonly database: DatabaseId | null;
  readonly file: { readonly token: FileToken; readonly fileName: string } | null;
  /** The database as it was right before this step of its history; null: the database as it is now. */
  readonly before: Pick<HistoryStep, 'id' | 'title'> | null;
}

export const SCHEMA_COMPARE_PARTS = ['differences', 'migration', 'rows'] as const;
export type SchemaComparePart = (typeof SCHEMA_COMPARE_PARTS)[number];

export const NO_SIDE: ComparedSide = { database: null, file: null, before: null };

/** The tab belongs to the window, because it has two sides. */
export interface SchemaCompareTab extends Tab {
  readonly kind: 'schema-compare';
  readonly database: null;
  /** The side that a migration would change. */
  readonly from: ComparedSide;
  /** The goal. */
  readonly to: ComparedSide;
  readonly part: SchemaComparePart;
  readonly meaningOnly: boolean;
  readonly showEqual: boolean;
}

/** Always a new tab. Returns its id. */
export const openSchemaComparison = (
  database: DatabaseId | null,
  to: ComparedSide = NO_SIDE,
  part: SchemaComparePart = 'differences',
): string =>
  openTab<SchemaCompareTab>({
    kind: 'schema-compare',
    database: null,
    from: { ...NO_SIDE, database },
    to,
    part,
    meaningOnly: true,
    showEqual: false,
  });

/** Compares with the state right before `step`, to restore some of it. Returns the id of the tab. */
export const openComparisonWithPast = (database: DatabaseId, { id, title, tables }: HistoryStep): string =>
  openSchemaComparison(
    database,
    { database, file: null, before: { id, title } },
    tables.length > 0 ? 'rows' : 'differences',
  );

const SIDE = forgiving({
  database: textOrNull,
  file: v.fallback(v.nullable(v.object({ token: v.string(), fileName: v.string() })), null),
  before: v.fallback(v.nullable(v.object({ id: v.number(), title: v.string() })), null),
});

export const SCHEMA_COMPARE_TAB: TabDescription<SchemaCompareTab> = {
  kind: 'schema-compare',
  belongsTo: 'window',
  icon: GitCompareArrows,
  hasDetails: false,
  title: () => 'Compare schemas',
  fields: v.object({
    from: SIDE,
    to: SIDE,
    part: oneOf(SCHEMA_COMPARE_PARTS, 'differences'),
    meaningOnly: flag(true),
    showEqual: flag(false),
  }),
};
