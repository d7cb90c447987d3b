// The user's entries for the parameters of a text, and their values: nothing is bound that was not entered.
import { storageClassOf, type ParameterValues, type Value } from '#shared/protocol/index.ts';
import { parametersOf } from '#shared/sql-parameters.ts';
import { blobFrom, integerFrom, realFrom } from '../../workbench/cells/typed-text.ts';
import type { ParameterEntry } from '../../workbench/tabs/query.ts';

/** Longer texts are not searched, which would block the window: they rarely have parameters, and a run reports missing ones. */
const LONGEST_CHARS = 200_000;

const NOT_GIVEN: ParameterEntry = { type: 'auto', text: '' };

type Given = { readonly value: Value } | { readonly problem: string };

/** Each name once, in the order of the text. */
export function parameterNames(sql: string): readonly string[] {
  if (sql.length > LONGEST_CHARS || !/[?:@$]/.test(sql)) return [];
  return [...new Set(parametersOf(sql).map(({ name }) => name))];
}

export function givenBy({ type, text }: ParameterEntry): Given {
  switch (type) {
    case 'auto':
      return text === ''
        ? { problem: 'Enter a value. For NULL, choose NULL; for empty text, choose Text.' }
        : { value: auto(text) };
    case 'text':
      return { value: text };
    case 'null':
      return { value: null };
    case 'integer':
      return valueOr(integerFrom(text.trim()), 'Enter a 64-bit integer.');
    case 'real':
      return valueOr(realFrom(text.trim(), true), 'Enter a number, such as 2.5.');
    case 'blob':
      return valueOr(
        blobFrom(/^x'/i.test(text.trim()) ? text : `X'${text.trim()}'`),
        'Enter pairs of hex digits, such as 00FF.',
      );
  }
}

/** Names without a value, or with one that cannot be bound. */
export function withoutValue(
  names: readonly string[],
  entries: Readonly<Record<string, ParameterEntry>>,
): readonly string[] {
  return names.filter((name) => 'problem' in givenBy(entryOf(entries, name)));
}

/** Expects names that all have a value. */
export function valuesOf(names: readonly string[], entries: Readonly<Record<string, ParameterEntry>>): ParameterValues {
  return Object.fromEntries(
    names.flatMap((name) => {
      const given = givenBy(entryOf(entries, name));
      return 'value' in given ? [[name, given.value]] : [];
    }),
  );
}

export function entryOf(entries: Readonly<Record<string, ParameterEntry>>, name: string): ParameterEntry {
  return (Object.hasOwn(entries, name) && entries[name]) || NOT_GIVEN;
}

/** Storage class of the text under an automatic type; null if it is empty. */
export function autoClass(text: string): string | null {
  return text === '' ? null : storageClassOf(auto(text));
}

/** A number only if it is written as one: 007 and 1,5 are text. */
function auto(text: string): Value {
  const integer = integerFrom(text);
  if (integer !== null) return String(integer) === text ? integer : text;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return realFrom(text, false) ?? text;
  return blobFrom(text) ?? text;
}

const valueOr = (value: Value, problem: string): Given => (value === null ? { problem } : { value });
