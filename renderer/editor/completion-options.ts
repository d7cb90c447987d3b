// The entries of the completion list: how each looks, ranks, and what picking it inserts.
import { pickedCompletion, snippetCompletion } from '@codemirror/autocomplete';
import type { Completion } from '@codemirror/autocomplete';
import type { NamedColumn } from './scope/names.ts';
import type { RelatedTable } from './scope/join-conditions.ts';
import { FUNCTIONS, TABLE_FUNCTIONS } from './sql-functions.ts';
import type { SqlFunction } from './sql-functions.ts';
import { KEYWORDS, quotedName, sqlName, TYPES } from './sql-keywords.ts';

const words: readonly Completion[] = [
  ...KEYWORDS.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'keyword', boost: -2 })),
  ...TYPES.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'type', boost: -4 })),
];
const lowerWords = words.map((word) => ({ ...word, label: word.label.toLowerCase() }));
const functions = FUNCTIONS.map((each) => functionOption(each, -3));

export const tableFunctionOptions: readonly Completion[] = TABLE_FUNCTIONS.map((each) => functionOption(each, 0));

/** Keywords, types, and functions; in the case of what is typed. */
export function wordOptions(typed: string): readonly Completion[] {
  return [...(/^[a-z]/.test(typed) ? lowerWords : words), ...functions];
}

function functionOption({ name, args, text }: SqlFunction, boost: number): Completion {
  const template = args === '' ? `${name}()` : `${name}(\${})`;
  return snippetCompletion(template, { label: name, type: 'function', detail: `(${args})`, info: text, boost });
}

/** @param qualifier shown beside it; written before it if the name alone is ambiguous */
export function columnOption(column: NamedColumn, qualifier: string, isAmbiguous = false): Completion {
  const { name } = column;
  const detail = [qualifier, typeOf(column)].filter((part) => part !== '').join(' · ');
  if (!isAmbiguous) return option(name, 'property', detail, 2);
  const whole = `${sqlName(qualifier)}.${sqlName(name)}`;
  return { label: name, displayLabel: whole, type: 'property', detail: typeOf(column), boost: 2, apply: whole };
}

function typeOf({ name, table }: NamedColumn): string {
  return table?.types[table.columns.indexOf(name)] ?? '';
}

export const tableOption = (name: string, detail: string, boost: number): Completion =>
  option(name, 'class', detail, boost);

export const aliasOption = (name: string, detail: string): Completion => option(name, 'variable', detail, 1);

export const conditionOption = (condition: string): Completion => ({
  label: condition,
  type: 'text',
  detail: 'foreign key',
  boost: 20,
  apply: condition,
});

export function relatedOption({ table, alias, condition }: RelatedTable): Completion {
  const rest = `${alias === null ? '' : ` ${sqlName(alias)}`} ON ${condition}`;
  return { label: table + rest, type: 'class', detail: 'foreign key', boost: 5, apply: sqlName(table) + rest };
}

function option(name: string, type: string, detail: string, boost: number): Completion {
  return { label: name, type, detail, boost, apply: sqlName(name) };
}

/** The option inside quotes that are already typed: it replaces the whole quoted name. */
export function inQuotes({ label, ...rest }: Completion): Completion {
  const quoted = quotedName(label);
  return {
    ...rest,
    label: quoted,
    displayLabel: label,
    apply: (view, completion, from, to) =>
      view.dispatch({
        changes: { from, to, insert: quoted },
        selection: { anchor: from + quoted.length },
        annotations: pickedCompletion.of(completion),
      }),
  };
}
