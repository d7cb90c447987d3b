// The forms in which a value can be edited as text: which ones suit it, its text in each, and the value of a text.
import { dateOf, type DateForm, type Zone } from '#shared/dates.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import { valueText } from '../../../grid/input/value-text.ts';
import { integerFrom, realFrom } from '../../../workbench/cells/typed-text.ts';
import { looksLikeJson } from '../indent-json.ts';
import { dateText } from '../../../ui/format.ts';
import { dateValue } from './date-text.ts';
import { bytesOf, hexOf } from './hex-text.ts';
import { compactJson, indentJson, jsonError, placeIn } from './json-text.ts';
import { asEdited, asSaved, lineEndingsOf, type LineEndings } from './line-endings.ts';

export type FormId = 'text' | 'json' | 'number' | 'date' | 'hex';

export const FORMS: readonly (readonly [FormId, string])[] = [
  ['text', 'Text'],
  ['json', 'JSON'],
  ['number', 'Number'],
  ['date', 'Date and time'],
  ['hex', 'Hexadecimal'],
];

/** `jsonb`: a blob in SQLite's own form of JSON. */
export type StoreAs = 'text' | 'blob' | 'jsonb';

/** Options that determine the value besides the text. */
export interface FormOptions {
  readonly storeAs: StoreAs;
  readonly endings: LineEndings | null;
  readonly dateForm: DateForm;
  readonly zone: Zone;
}

export interface EditableText {
  readonly text: string;
  readonly options: FormOptions;
}

/** A value, or a sentence why there is none. JSON to be stored as JSONB is still text here. */
export type Parsed = { readonly value: Value } | { readonly problem: string };

const PLAIN: FormOptions = { storeAs: 'text', endings: null, dateForm: 'iso', zone: 'utc' };

/** @param json the text of a JSONB value; null for other values */
export function suitedForm(value: Value, json: string | null): FormId {
  if (json !== null) return 'json';
  if (value instanceof Uint8Array || (value !== null && isRawText(value))) return 'hex';
  if (typeof value === 'number' || typeof value === 'bigint' || (value !== null && isReal(value))) return 'number';
  return typeof value === 'string' && looksLikeJson(value) && jsonError(value) === null ? 'json' : 'text';
}

export function editableAs(form: FormId, value: Value, json: string | null): EditableText | null {
  switch (form) {
    case 'text':
      return plainText(value);
    case 'json':
      return jsonText(value, json);
    case 'number':
      return numberText(value);
    case 'date':
      return dateTextOf(value);
    case 'hex':
      return hexText(value);
  }
}

function plainText(value: Value): EditableText | null {
  const storeAs = value instanceof Uint8Array ? 'blob' : 'text';
  const bytes = value instanceof Uint8Array ? value : null;
  const text = bytes ? utf8(bytes) : value !== null && isRawText(value) ? null : value === null ? '' : valueText(value);
  return text === null ? null : { text: asEdited(text), options: { ...PLAIN, storeAs, endings: lineEndingsOf(text) } };
}

function jsonText(value: Value, json: string | null): EditableText | null {
  if (json !== null) return { text: indentJson(json), options: { ...PLAIN, storeAs: 'jsonb' } };
  const plain = plainText(value);
  if (!plain || !plain.text) return plain;
  return { ...plain, text: isCompact(plain.text) ? indentJson(plain.text) : plain.text };
}

function numberText(value: Value): EditableText | null {
  if (value === null) return { text: '', options: PLAIN };
  if (value instanceof Uint8Array || isRawText(value)) return null;
  const isNumber = typeof value !== 'string' || typeof numberFrom(value) !== 'string';
  return isNumber ? { text: valueText(value), options: PLAIN } : null;
}

function dateTextOf(value: Value): EditableText | null {
  if (value === null) return { text: '', options: PLAIN };
  const date = dateOf(value);
  if (!date) return null;
  const isDay = typeof value === 'string' && /^\s*[+-]?\d+-\d\d-\d\d\s*$/.test(value);
  const text = isDay ? value.trim() : dateText(date.atMs, 'utc');
  return { text, options: { ...PLAIN, dateForm: date.form } };
}

function hexText(value: Value): EditableText | null {
  if (value === null) return { text: '', options: { ...PLAIN, storeAs: 'blob' } };
  if (value instanceof Uint8Array) return { text: hexOf(value), options: { ...PLAIN, storeAs: 'blob' } };
  if (isRawText(value)) return { text: hexOf(value.textBytes), options: PLAIN };
  return typeof value === 'string' ? { text: hexOf(new TextEncoder().encode(value)), options: PLAIN } : null;
}

export function valueOf(form: FormId, text: string, options: FormOptions, before: Value): Parsed {
  switch (form) {
    case 'text': {
      const whole = asSaved(text, originalText(before), options.endings);
      return { value: options.storeAs === 'blob' ? new TextEncoder().encode(whole) : whole };
    }
    case 'json':
      return jsonValue(text, options, before);
    case 'number': {
      const number = numberFrom(text);
      return typeof number === 'string' ? { problem: number } : { value: number };
    }
    case 'date': {
      const value = dateValue(text, options.dateForm, options.zone, before);
      const isProblem = typeof value === 'string' && options.dateForm !== 'iso';
      return isProblem || (typeof value === 'string' && dateOf(value) === null)
        ? { problem: String(value) }
        : { value };
    }
    case 'hex': {
      const bytes = bytesOf(text);
      if (typeof bytes === 'string') return { problem: bytes };
      if (options.storeAs !== 'text') return { value: bytes };
      return { value: utf8(bytes) ?? { textBytes: bytes } };
    }
  }
}

function jsonValue(text: string, { storeAs, endings }: FormOptions, before: Value): Parsed {
  const error = jsonError(text);
  if (error) return { problem: `${error.message} (${placeIn(text, error.at)})` };
  if (storeAs === 'jsonb') return { value: compactJson(text) };
  const original = originalText(before);
  // Compact JSON stays compact.
  const whole = original !== '' && isCompact(original) ? compactJson(text) : asSaved(text, original, endings);
  return { value: storeAs === 'blob' ? new TextEncoder().encode(whole) : whole };
}

const originalText = (before: Value): string =>
  typeof before === 'string' ? before : before instanceof Uint8Array ? (utf8(before) ?? '') : '';

const isCompact = (text: string): boolean => jsonError(text) === null && compactJson(text) === text;

/** The number, or a sentence why the text is not a number. */
function numberFrom(text: string): Value | string {
  const typed = text.trim();
  const number = integerFrom(typed) ?? realFrom(typed, true);
  return number ?? 'Enter a number such as 5, -2.5, or 1e9.';
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
