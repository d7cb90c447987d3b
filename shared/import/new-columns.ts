// Columns that an import adds to an existing table: of the file, or of an expression alone.
import type { Column } from '../protocol/index.ts';
import {
  freeColumnName,
  lowerCase,
  newColumnName,
  normal,
  replaced,
  unfilled,
  withAdded,
  writable,
} from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';

/** Makes a column of the file a new one of an existing table. @param names of the columns of that table */
export function asNewColumn(
  choices: readonly ColumnChoice[],
  at: number,
  names: readonly string[],
): readonly ColumnChoice[] {
  const source = choices[at]?.source ?? '';
  const taken = [...names, ...choices.flatMap(({ name }, index) => (index === at || name === null ? [] : [name]))];
  return replaced(choices, at, { name: freeColumnName(source, taken), isNew: true });
}

/** Makes all columns of the file that are left out, and of which the table has none of the name, new columns of it. */
export const withNewColumns = (choices: readonly ColumnChoice[], names: readonly string[]): readonly ColumnChoice[] =>
  missingIn(choices, names).reduce((all, at) => asNewColumn(all, at, names), choices);

/** Indexes of the columns of the file that are left out, and that the table does not have. */
export function missingIn(choices: readonly ColumnChoice[], names: readonly string[]): readonly number[] {
  const known = new Set(names.map(normal));
  return choices.flatMap(({ name, source, isAdded }, at) =>
    name === null && !isAdded && !known.has(normal(source)) ? [at] : [],
  );
}

/** Choices that were made earlier, for a table as it is now: it may have got columns that were new, and may have lost others. */
export function choicesForTable(choices: readonly ColumnChoice[], columns: readonly Column[]): readonly ColumnChoice[] {
  const names = writable(columns);
  return withoutExisting(choices, names).map((choice) =>
    choice.name === null || choice.isNew || names.includes(choice.name) ? choice : { ...choice, name: null },
  );
}

/** New columns that the table has by now are ordinary ones. */
export const withoutExisting = (choices: readonly ColumnChoice[], names: readonly string[]): readonly ColumnChoice[] =>
  choices.map((choice) => {
    const existing = choice.isNew ? names.find((one) => lowerCase(one) === lowerCase(choice.name ?? '')) : undefined;
    return existing === undefined ? choice : { ...choice, name: existing, isNew: undefined };
  });

/** Adds a column with the values of an expression: the first of the table that gets none from the file, or a new one. */
export function withExpression(choices: readonly ColumnChoice[], columns: readonly Column[]): readonly ColumnChoice[] {
  const [free] = unfilled(choices, writable(columns));
  if (free !== undefined) return withAdded(choices, free);
  const taken = [...columns.map(({ name }) => name), ...choices.map(({ name }) => name ?? '')];
  const all = withAdded(choices, newColumnName(taken));
  return replaced(all, all.length - 1, { isNew: true });
}
