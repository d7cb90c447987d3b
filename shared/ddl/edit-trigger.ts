// Edits the text of a CREATE TRIGGER statement. Each function returns the new text; unchanged parts stay byte for byte.
import { asInside } from './expressions.ts';
import { sameName, writeName } from './names.ts';
import type { TriggerEvent, TriggerModel, TriggerTiming } from './object-models.ts';
import { applyEdits, cutBehind, insertBehind } from './text-edits.ts';

export function setTriggerTiming({ text, timing, timingSpan }: TriggerModel, to: TriggerTiming): string {
  if (timing === to) return text;
  const isWritten = timingSpan.to > timingSpan.from;
  return applyEdits(text, [{ ...timingSpan, text: isWritten ? to : `${to} ` }]);
}

/** @param columns of `UPDATE OF`; empty: every column */
export function setTriggerEvent(model: TriggerModel, event: TriggerEvent, columns: readonly string[]): string {
  const { text, eventSpan } = model;
  const isSame =
    model.event === event &&
    model.columns.length === columns.length &&
    columns.every((column, at) => sameName(column, model.columns[at]!.name));
  if (isSame) return text;
  const of = event === 'UPDATE' && columns.length > 0 ? ` OF ${columns.map(writeName).join(', ')}` : '';
  return applyEdits(text, [{ ...eventSpan, text: event + of }]);
}

/** @param condition null or empty: for every row */
export function setTriggerWhen({ text, when, whenSpan, headEnd }: TriggerModel, condition: string | null): string {
  const wanted = condition?.trim() ?? '';
  if (wanted === (when?.sql ?? '')) return text;
  if (!when || !whenSpan) return applyEdits(text, [insertBehind(text, headEnd, `WHEN ${asInside(wanted)}`)]);
  if (wanted === '') return applyEdits(text, [cutBehind(text, headEnd, whenSpan)]);
  return applyEdits(text, [{ ...when.span, text: asInside(wanted) }]);
}
