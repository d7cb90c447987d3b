// Decides which columns of a table a list of changes shows, and how wide each is, from the rows that were read.
import { groupBy } from '#shared/group-by.ts';
import type { DifferenceValue, RowDifference } from '#shared/protocol/index.ts';
import { sameValue, showValue } from './difference-value.ts';

export interface ShownColumn {
  readonly name: string;
  readonly index: number;
  readonly widthPx: number;
}

const CHARACTER_PX = 7.4;
const PADDING_PX = 22;
const NARROWEST_PX = 64;
const WIDEST_PX = 340;
/** “ → ” and the room around both values. */
const ARROW_CHARACTERS = 6;

/** A column's width is set when it is first seen, so that nothing moves while the user scrolls. */
export class DifferenceColumns {
  readonly #tables = new Map<string, Map<string, ShownColumn>>();
  readonly #keyWidths = new Map<string, number>();

  /** Columns in the order of the table. */
  of(table: string): readonly ShownColumn[] {
    return [...(this.#tables.get(table)?.values() ?? [])].sort((a, b) => a.index - b.index);
  }

  keyWidthPx(table: string): number {
    return this.#keyWidths.get(table) ?? NARROWEST_PX;
  }

  learn(rows: readonly RowDifference[]): void {
    for (const [table, own] of groupBy(rows, (row) => row.table)) {
      const known = this.#tables.get(table) ?? new Map<string, ShownColumn>();
      this.#tables.set(table, known);
      if (!this.#keyWidths.has(table))
        this.#keyWidths.set(table, width([table.length + 2, ...own.map((row) => keyText(row).length)]));
      for (const [index, name] of (own[0]?.columns ?? []).entries()) {
        const shown = own.filter((row) => tellsMore(row, index));
        if (known.has(name) || shown.length === 0) continue;
        known.set(name, { name, index, widthPx: width([name.length, ...shown.map((row) => cellLength(row, index))]) });
      }
    }
  }
}

export function keyText({ name, key }: RowDifference): string {
  const shown = name === null || name === 'unknown' ? key : name;
  const text = shown.map((value) => showValue(value).text).join(', ');
  return name === 'unknown' ? `rowid ${text}` : text;
}

/** A column that only repeats the key is not shown, because the key is on the left already. */
function tellsMore({ name, key, before, after }: RowDifference, index: number): boolean {
  const shown = name === 'unknown' ? [] : (name ?? key);
  const values = [before?.[index], after?.[index]].filter((value) => value !== undefined);
  return values.some((value) => shown.length !== 1 || !sameValue(value, shown[0]));
}

function cellLength({ kind, before, after }: RowDifference, index: number): number {
  const length = (value: DifferenceValue): number => showValue(value).text.length;
  const lengths = length(before?.[index]) + length(after?.[index]);
  return kind === 'updated' ? lengths + ARROW_CHARACTERS : lengths;
}

const width = (characters: readonly number[]): number =>
  Math.round(Math.min(WIDEST_PX, Math.max(NARROWEST_PX, Math.max(...characters) * CHARACTER_PX + PADDING_PX)));
