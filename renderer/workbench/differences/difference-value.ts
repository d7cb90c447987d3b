// Shows a value of a changed row in one line. NULL, an unknown value, and empty text look different.
import type { DifferenceValue, PreviewValue, Value } from '#shared/protocol/index.ts';
import { displayText } from '../../grid/paint/cell-display.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatBytes } from '../../ui/format.ts';

interface ShownValue {
  readonly text: string;
  /** `special`: words about the value instead of the value. */
  readonly style: 'text' | 'number' | 'special';
}

const NOT_CHANGED: ShownValue = { text: '', style: 'text' };

export function showValue(value: DifferenceValue): ShownValue {
  if (value === undefined) return NOT_CHANGED;
  if (value === null) return { text: 'NULL', style: 'special' };
  if (value === '') return { text: 'empty', style: 'special' };
  if (isPreview(value)) return showPreview(value);
  if (value instanceof Uint8Array) return { text: `blob · ${formatBytes(value.length)}`, style: 'special' };
  const isNumber =
    typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'object' && 'real' in value);
  if (isNumber) return { text: valueText(value), style: 'number' };
  const { text, cut } = displayText(valueText(value), false);
  return { text: cut ? `${text}…` : text, style: 'text' };
}

/** The value alone, as far as it is known: for tooltips. */
export function wholeText(value: DifferenceValue): string {
  if (value === undefined) return 'not changed';
  if (value === null) return 'NULL';
  if (isPreview(value)) return showPreview(value).text;
  return value instanceof Uint8Array ? showValue(value).text : valueText(value);
}

export const sameValue = (one: DifferenceValue, other: DifferenceValue): boolean =>
  one !== undefined &&
  other !== undefined &&
  wholeText(one) === wholeText(other) &&
  (one === null) === (other === null);

function isPreview(value: Value | PreviewValue): value is PreviewValue {
  return typeof value === 'object' && value !== null && 'preview' in value;
}

function showPreview({ preview, sizeBytes }: PreviewValue): ShownValue {
  if (typeof preview !== 'string') return { text: `blob · ${formatBytes(sizeBytes)}`, style: 'special' };
  return { text: `${displayText(preview, true).text}… · ${formatBytes(sizeBytes)}`, style: 'text' };
}
