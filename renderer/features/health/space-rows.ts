// The tables and indexes of a file by size: counted if they have been counted, otherwise estimated.
import type { HealthOverview, TreeDetail, TreeSize } from '#shared/protocol/index.ts';

export interface SpaceRow {
  readonly name: string;
  readonly table: string;
  readonly kind: TreeSize['kind'];
  /** Null: not known yet. */
  readonly bytes: number | null;
  readonly isEstimate: boolean;
  /** Share of all pages, 0 … 1. */
  readonly share: number | null;
  /** How full its pages are, 0 … 1. */
  readonly fill: number | null;
  readonly unusedBytes: number | null;
  /** Share of leaf pages that do not follow the previous one, 0 … 1. Null if unknown or there is only one. */
  readonly jumps: number | null;
}

export type SpaceColumn = 'name' | 'kind' | 'bytes' | 'fill' | 'unusedBytes' | 'jumps';

export interface SpaceSort {
  readonly column: SpaceColumn;
  readonly descending: boolean;
}

export function spaceRows(overview: HealthOverview, counted: ReadonlyMap<string, TreeSize>): readonly SpaceRow[] {
  const { pageSize, pages: all } = overview;
  return overview.trees.map(({ name, table, kind, pages: estimate }) => {
    const exact = counted.get(name);
    const pages = exact?.pages ?? estimate;
    const bytes = pages === null ? null : pages * pageSize;
    return {
      name,
      table,
      kind,
      bytes,
      isEstimate: !exact,
      share: pages === null || all === 0 ? null : pages / all,
      ...detailOf(exact?.detail ?? null, bytes ?? 0),
    };
  });
}

function detailOf(detail: TreeDetail | null, bytes: number): Pick<SpaceRow, 'fill' | 'unusedBytes' | 'jumps'> {
  if (!detail || bytes === 0) return { fill: null, unusedBytes: null, jumps: null };
  const { unusedBytes, leafPages, jumps } = detail;
  return {
    fill: 1 - unusedBytes / bytes,
    unusedBytes,
    jumps: leafPages > 1 ? jumps / (leafPages - 1) : null,
  };
}

const names = new Intl.Collator('en-US', { numeric: true });

/** Unknown values come last in either direction. */
export function sortedRows(rows: readonly SpaceRow[], { column, descending }: SpaceSort): readonly SpaceRow[] {
  const direction = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one, other] = [a[column], b[column]];
    if (one === null || other === null)
      return Number(one === null) - Number(other === null) || names.compare(a.name, b.name);
    const order = typeof one === 'string' ? names.compare(one, other as string) : (one as number) - (other as number);
    return order * direction || names.compare(a.name, b.name);
  });
}

/** The rows of the list as they are shown, and what they were made of. */
export interface ShownRows {
  readonly rows: readonly SpaceRow[];
  readonly sorted: readonly SpaceRow[];
  readonly sort: SpaceSort;
  readonly isHeld: boolean;
}

/**
 * While they are held, rows stay where they are and only their values change; new ones are at the end. Another sort order that the user
 * has chosen applies at once.
 */
export function shownRows(before: ShownRows, now: Omit<ShownRows, 'rows'>): ShownRows {
  const { sorted, sort, isHeld } = now;
  if (before.sorted === sorted && before.sort === sort && before.isHeld === isHeld) return before;
  return { ...now, rows: isHeld && before.sort === sort ? inOrderOf(sorted, before.rows) : sorted };
}

function inOrderOf(rows: readonly SpaceRow[], before: readonly SpaceRow[]): readonly SpaceRow[] {
  const places = new Map(before.map(({ name }, at) => [name, at]));
  const placeOf = ({ name }: SpaceRow): number => places.get(name) ?? before.length;
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}
