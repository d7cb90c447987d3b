// The colors that rules give to the cells of a table: each cell is tested once, when it is first painted.
import { TestedPage, cellTest, type CellTest } from '#shared/cell-test.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { isFilterGroup, type FilterEntry } from '#shared/protocol/rows.ts';
import type { CellTint, CellTints } from '../../grid/cell-tints.ts';
import { readFilterText, type FieldColumn } from '../filter/filter-text.ts';
import { realFrom } from '../cells/typed-text.ts';
import { isEmptyRule, isScale, rulesOf, type ColorRule, type ColorRules, type ScaleRule } from './color-rule.ts';

interface TintedColumn {
  readonly name: string;
  readonly declaredType: string;
}

type TintOf = (page: TestedPage, row: number, column: number) => CellTint | null;

/**
 * Conditions are those of a filter, but compare text byte by byte, whatever the collation of the column, and test only the beginning of a
 * value that is not loaded in full. Null without a rule that can be read.
 * @param hidden how many packed columns come before the first of `columns`
 */
export function cellTints(rules: ColorRules, columns: readonly TintedColumn[], hidden: number): CellTints | null {
  const tinting = columns.map((column) => columnTint(rulesOf(rules, column.name), column));
  if (tinting.every((tint) => tint === null)) return null;
  const pages = new WeakMap<PackedRowsReader, KnownTints>();
  return ({ rows, index }, column) => {
    const tint = tinting[column];
    if (!tint) return null;
    let known = pages.get(rows);
    if (!known) pages.set(rows, (known = { page: new TestedPage(rows.rows, rows), columns: [] }));
    const ofColumn = (known.columns[column] ??= []);
    const before = ofColumn[index];
    return before === undefined ? (ofColumn[index] = tint(known.page, index, column + hidden)) : before;
  };
}

/** Tints by column and row of a page. */
interface KnownTints {
  readonly page: TestedPage;
  readonly columns: (CellTint | null)[][];
}

function columnTint(rules: readonly ColorRule[], column: FieldColumn): TintOf | null {
  const tints = rules.flatMap((rule) => tintOf(rule, column) ?? []);
  if (tints.length === 0) return null;
  return (page, row, packed) => {
    for (const tint of tints) {
      const found = tint(page, row, packed);
      if (found) return found;
    }
    return null;
  };
}

/** Problem of a rule, as a sentence; null if there is none, and for a rule that is still empty. */
export function ruleProblem(rule: ColorRule, column: FieldColumn): string | null {
  if (isEmptyRule(rule)) return null;
  if (isScale(rule)) return scaleEnds(rule) ? null : 'A scale needs a number at each end.';
  const read = readFilterText(rule.when, column);
  return 'problem' in read ? read.problem : null;
}

function tintOf(rule: ColorRule, column: FieldColumn): TintOf | null {
  if (isEmptyRule(rule)) return null;
  if (isScale(rule)) return scaleTint(rule);
  const read = readFilterText(rule.when, column);
  const test = 'entries' in read ? entriesTest(read.entries) : null;
  const tint: CellTint = { color: rule.color, share: 1 };
  return test && ((page, row, packed) => (test(page, row, packed) ? tint : null));
}

/** Null if a value cannot be searched for. */
function entriesTest(entries: readonly FilterEntry[]): CellTest | null {
  try {
    const tests = entries.map((entry): CellTest => {
      if (!isFilterGroup(entry)) return cellTest(entry);
      const any = entry.any.map((terms) => terms.map((term) => cellTest(term)));
      return (page, row, column) => any.some((terms) => terms.every((test) => test(page, row, column)));
    });
    return (page, row, column) => tests.every((test) => test(page, row, column));
  } catch {
    return null;
  }
}

function scaleEnds({ from, to }: ScaleRule): readonly [from: number, to: number] | null {
  const [low, high] = [numberFrom(from), numberFrom(to)];
  return low === null || high === null ? null : [low, high];
}

function numberFrom(text: string): number | null {
  const number = realFrom(text.trim(), false) === null ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Numbers beyond the ends are painted as the ends are. From the greater to the lesser end counts backwards. */
function scaleTint(rule: ScaleRule): TintOf | null {
  const ends = scaleEnds(rule);
  if (!ends) return null;
  const [from, to] = ends;
  return ({ cells }, row, column) => {
    const storageClass = cells.storageClass(row, column);
    if (storageClass !== 'integer' && storageClass !== 'real') return null;
    const number = cells.number(row, column);
    const share = from === to ? Number(number >= to) : (number - from) / (to - from);
    return share > 0 ? { color: rule.color, share: Math.min(1, share) } : null;
  };
}
