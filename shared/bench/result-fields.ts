// The kinds of fields in a result: each error says what the field should be, and every size is limited.
import * as v from 'valibot';
import type { Pragmas } from './profile.ts';

const MAX_TEXT = 4_000;

export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = v.pipe(v.string('a text'), v.maxLength(MAX_TEXT, `at most ${MAX_TEXT} characters`));
export const number = v.pipe(v.number('a number'), v.finite('a number'));
const WHOLE = 'a whole number from 0 on';
export const size = v.pipe(v.number(WHOLE), v.safeInteger(WHOLE), v.minValue(0, WHOLE));
const TIME = 'a number from 0 on';
export const time = v.pipe(v.number(TIME), v.finite(TIME), v.minValue(0, TIME));
export const flag = v.boolean('true or false');
export const optional = v.exactOptional;
export const orNull = <T extends v.GenericSchema>(schema: T) => v.nullable(schema);
export const oneOf = <const W extends readonly string[]>(words: W) => v.picklist(words, `one of ${words.join(', ')}`);

/** The length is checked before the items. */
export const list = <T extends v.GenericSchema>(item: T, most: number) =>
  v.pipe(v.array(v.unknown(), 'a list'), v.maxLength(most, `a list of at most ${most}`), v.array(item));

/** A list of {@link time}, checked without a library call per item: a result has up to a million. */
export const times = (most: number) =>
  v.pipe(
    v.array(v.unknown(), 'a list'),
    v.maxLength(most, `a list of at most ${most}`),
    v.rawCheck(({ dataset: { value: input }, addIssue }) => {
      if (!Array.isArray(input)) return;
      const key = input.findIndex((each) => typeof each !== 'number' || !Number.isFinite(each) || each < 0);
      if (key < 0) return;
      addIssue({ message: TIME, path: [{ type: 'array', origin: 'value', input, key, value: input[key] as unknown }] });
    }),
    v.custom<number[]>(() => true),
  );

/** The error for a missing field is that of the field itself. */
export const record = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.custom<object>(isRecord, 'an object'),
    v.object(entries, ({ path }) => {
      const field = entries[String(path?.at(-1)?.key)];
      return (field && v.safeParse(field, undefined, { abortEarly: true }).issues?.[0].message) ?? 'an object';
    }),
  );

const WORD = 'a word of letters, digits and hyphens';
const isWord = (value: unknown): boolean => typeof value === 'string' && /^[\w.:+-]{1,80}$/.test(value);

/** Engines, suites and tests: later versions have more of them, so any word is accepted. */
export const word = <T extends string = string>() => v.custom<T>(isWord, WORD);

export const pragma = <T extends Pragmas[keyof Pragmas]>() =>
  v.custom<T>((value) => typeof value === 'number' || typeof value === 'boolean' || isWord(value), WORD);

export const pragmas = v.pipe(
  v.custom<object>(isRecord, 'an object'),
  v.record(v.string(), pragma()),
  v.custom<Partial<Pragmas>>(() => true),
);
