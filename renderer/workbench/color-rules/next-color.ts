// The color that a new rule begins with.
import { TINT_COLORS } from '../../grid/cell-tints.ts';
import type { TintColor } from '../../grid/cell-tints.ts';
import type { ColorRule } from './color-rule.ts';

/** The first color that no rule has; if rules have all colors, the first color again. */
export const nextColor = (rules: readonly ColorRule[]): TintColor =>
  TINT_COLORS.find((color) => rules.every((rule) => rule.color !== color)) ?? TINT_COLORS[0];
