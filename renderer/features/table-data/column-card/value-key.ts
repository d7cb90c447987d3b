// Distinguishes the values of a column: 1 is not '1'.
import type { Value } from '#shared/protocol/values.ts';
import { valueText } from '../../../grid/input/value-text.ts';

export const valueKey = (value: Value): string => typeof value + valueText(value);
