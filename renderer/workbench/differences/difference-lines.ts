// The position of each changed row in the whole list: a heading per table, then its rows. Pure.
import { lastWhere } from '#shared/binary-search.ts';
import type { TableCounts } from '#shared/protocol/index.ts';

export interface Section {
  readonly table: string;
  readonly counts: TableCounts | null;
  /** Line of the heading; the rows follow it. */
  readonly line: number;
  /** Number of the first row among all rows of the change. */
  readonly firstRow: number;
  readonly rows: number;
}

type Line =
  | { readonly kind: 'heading'; readonly section: Section }
  | { readonly kind: 'row'; readonly section: Section; readonly row: number };

const rowsIn = ({ inserted, updated, deleted }: TableCounts): number => inserted + updated + deleted;

/** Changes list their rows table by table in the order of `tables`. Counts that do not add up give one section for all. */
export function sectionsOf(tables: readonly TableCounts[], total: number): readonly Section[] {
  const changed = tables.filter((counts) => rowsIn(counts) > 0);
  if (changed.reduce((sum, counts) => sum + rowsIn(counts), 0) !== total)
    return total === 0 ? [] : [{ table: '', counts: null, line: 0, firstRow: 0, rows: total }];
  let firstRow = 0;
  return changed.map((counts, index) => {
    const rows = rowsIn(counts);
    const section: Section = { table: counts.table, counts, line: firstRow + index, firstRow, rows };
    firstRow += rows;
    return section;
  });
}

export const lineCount = (sections: readonly Section[]): number =>
  sections.reduce((sum, { rows }) => sum + rows + 1, 0);

export const sectionAt = (sections: readonly Section[], line: number): Section | null =>
  sections[
    Math.max(
      0,
      lastWhere(sections.length, (index) => sections[index]!.line <= line),
    )
  ] ?? null;

export function lineAt(sections: readonly Section[], line: number): Line | null {
  const section = sectionAt(sections, line);
  if (!section || line > section.line + section.rows) return null;
  if (line === section.line) return { kind: 'heading', section };
  return { kind: 'row', section, row: section.firstRow + line - section.line - 1 };
}

/** “+12 ~3 −1”. */
export function countParts(
  counts: Pick<TableCounts, 'inserted' | 'updated' | 'deleted'>,
): readonly (readonly [CountKind, number])[] {
  return (['inserted', 'updated', 'deleted'] as const)
    .map((kind) => [kind, counts[kind]] as const)
    .filter(([, count]) => count > 0);
}

type CountKind = 'inserted' | 'updated' | 'deleted';
export const SIGNS: Readonly<Record<CountKind, string>> = { inserted: '+', updated: '~', deleted: '−' };
