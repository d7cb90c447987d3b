// The shared part of tabs that compare two schemas: what they store, and how they are opened.
import type { DatabaseId, FileToken } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { openTab } from '../state/store.ts';

/** A database, or a file that is only read; neither until it is chosen. */
export interface ComparedSide {
  readonly database: DatabaseId | null;
  readonly file: { readonly token: FileToken; readonly fileName: string } | null;
}

export const SCHEMA_COMPARE_PARTS = ['differences', 'migration', 'rows'] as const;
export type SchemaComparePart = (typeof SCHEMA_COMPARE_PARTS)[number];

export const NO_SIDE: ComparedSide = { database: null, file: null };

/** The tab belongs to the window, because it has two sides. */
export interface SchemaCompareTab extends Tab {
  readonly kind: 'schema-compare';
  readonly database: null;
  /** What a migration would change. */
  readonly from: ComparedSide;
  /** The goal. */
  readonly to: ComparedSide;
  readonly part: SchemaComparePart;
  readonly meaningOnly: boolean;
  readonly showEqual: boolean;
}

/** Always a new tab. Returns its id. */
export const openSchemaComparison = (database: DatabaseId | null): string =>
  openTab<SchemaCompareTab>({
    kind: 'schema-compare',
    database: null,
    from: { database, file: null },
    to: NO_SIDE,
    part: 'differences',
    meaningOnly: true,
    showEqual: false,
  });
