// A rule that gives cells of a column a color, as Sidelite keeps it: texts as they were typed, so that unfinished rules are kept, too.
import * as v from 'valibot';
import { each, eachEntry } from '#shared/stored.ts';
import { TINT_COLORS, type TintColor } from '../../grid/cell-tints.ts';

/** Cells for which the text of a filter field is true. */
interface ConditionRule {
  readonly color: TintColor;
  readonly when: string;
}

/** Numbers, by how far they are from `from` to `to`: the cell is filled that far. */
export interface ScaleRule {
  readonly color: TintColor;
  readonly from: string;
  readonly to: string;
}

export type ColorRule = ConditionRule | ScaleRule;

/** Rules by column name; the first rule that is true for a cell counts. */
export type ColorRules = Readonly<Record<string, readonly ColorRule[]>>;

/** Limit for one column: each rule is tried for each cell. */
export const MOST_RULES = 12;
const MOST_CHARS = 2000;

const short = v.pipe(v.string(), v.maxLength(MOST_CHARS));
const color = v.picklist(TINT_COLORS);

/** Reads stored rules. An invalid rule costs only itself. */
export const STORED_COLOR_RULES = eachEntry(
  v.pipe(
    each(v.union([v.object({ color, when: short }), v.object({ color, from: short, to: short })])),
    v.transform((rules): readonly ColorRule[] => rules.slice(0, MOST_RULES)),
  ),
);

export const isScale = (rule: ColorRule): rule is ScaleRule => 'from' in rule;

/** Sets the rules of a column; a column without rules has no entry. */
export function withRules(all: ColorRules, column: string, rules: readonly ColorRule[]): ColorRules {
  const others = Object.entries(all).filter(([name]) => name !== column);
  return Object.fromEntries(rules.length === 0 ? others : [...others, [column, rules.slice(0, MOST_RULES)]]);
}

export const isEmptyRule = (rule: ColorRule): boolean =>
  isScale(rule) ? rule.from.trim() === '' && rule.to.trim() === '' : rule.when.trim() === '';

export const rulesOf = (all: ColorRules, column: string): readonly ColorRule[] =>
  (Object.hasOwn(all, column) ? all[column] : undefined) ?? [];
