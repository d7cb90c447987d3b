// Known facts about a table that the open transaction has changed, and how they are published. Shared by both engines.
import type { TableChanges } from './transaction-changes.ts';
import type { TouchedRows } from './touched-rows.ts';

/** Facts about a changed table. They are followed by one fact per column: an update changed its value. */
export const Fact = {
  inserted: 0,
  updated: 1,
  deleted: 2,
  moved: 3,
  anyColumn: 4,
  anyRow: 5,
  firstColumn: 6,
} as const;

/** How many cells of updated rows are compared in one transaction, which takes about 10 ms. After that every column counts as changed. */
export const MAX_COMPARED_CELLS = 50_000;

export interface ChangedTable {
  readonly number: number;
  readonly name: string;
  /** Null for a table without a layout of its own. */
  readonly layout: {
    readonly columns: readonly string[];
    readonly generated: readonly number[];
    readonly primaryKey: readonly number[] | null;
  } | null;
  /** Indexed by {@link Fact}: 1 if it is true. */
  readonly facts: Uint8Array;
}

/** Facts of a table of which nothing is known yet. */
export const noFacts = (layout: ChangedTable['layout']): Uint8Array =>
  new Uint8Array(Fact.firstColumn + (layout?.columns.length ?? 0));

export function changesOf({ number, layout, facts }: ChangedTable, rows: TouchedRows): TableChanges {
  const columns = new Set<string>();
  for (const [index, name] of layout?.columns.entries() ?? []) {
    if (facts[Fact.firstColumn + index] === 1) columns.add(name);
  }
  if (columns.size > 0) for (const place of layout!.generated) columns.add(layout!.columns[place]!);
  const keys = layout?.primaryKey ? rows.primaryKeysOf(number) : rows.rowidsOf(number);
  return {
    inserted: facts[Fact.inserted] === 1,
    updated: facts[Fact.updated] === 1,
    deleted: facts[Fact.deleted] === 1,
    moved: facts[Fact.moved] === 1,
    columns: facts[Fact.anyColumn] === 1 ? null : columns,
    keys: facts[Fact.anyRow] === 1 ? null : keys,
  };
}
