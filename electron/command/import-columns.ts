// What `sidelite import` makes of the columns of a file: for a new table, or for an existing one, by name, by order, or as in a recipe.
import {
  choicesByName,
  choicesByOrder,
  choicesForNewTable,
  importedOf,
  inTable,
  nameProblems,
  withFacts,
  writable,
} from '#shared/import/column-choices.ts';
import type { ColumnChoice } from '#shared/import/column-choices.ts';
import { withNewColumns, withoutExisting } from '#shared/import/new-columns.ts';
import { recipeChoices, type Recipe } from '#shared/import/recipes.ts';
import type { TargetChoice } from '#shared/import/target-choice.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ColumnFacts, DatabaseId, DetectedSource, ImportSource, TableDetail } from '#shared/protocol/index.ts';
import type { CommandSession } from './session.ts';

/** One file of the command line. */
export interface Input {
  readonly name: string;
  readonly source: ImportSource;
  readonly detected: DetectedSource;
  readonly recipe: Recipe | null;
}

interface Choosing {
  readonly input: Input;
  readonly inputs: readonly Input[];
  readonly target: TargetChoice;
  readonly database: DatabaseId;
}

interface Chosen {
  readonly columns: readonly ColumnChoice[];
  /** The import itself is to find the types. */
  readonly typesAreOpen: boolean;
}

/** @throws AppError `invalid` when no column is left, or two have one name */
export async function chooseColumns(
  session: CommandSession,
  { input, inputs, target, database }: Choosing,
): Promise<Chosen> {
  const { kind } = target;
  const detail =
    kind === 'table' ? await session.engine.client.call('schema.table', { database, table: target.table! }) : null;
  const choices = detail ? columnsOfTable(session, input, detail) : columnsOfNewTable(input);
  const [problem] = nameProblems(choices).values();
  if (problem !== undefined)
    throw AppError.invalid(`${problem} Nothing was changed. A recipe can give it another name.`);
  if (detail && !choices.some(({ isNew }) => isNew)) return { columns: choices, typesAreOpen: false };
  const isStrict = detail ? detail.strict : target.strict;
  // Types must fit all files, and a recipe names them.
  const areNeeded = inputs.length > 1 || session.options.has('save-recipe');
  if (!areNeeded) return { columns: choices.map((choice) => inTable(choice, isStrict)), typesAreOpen: true };
  const facts = await factsOf(session, [input, ...inputs.filter((other) => other !== input)]);
  return { columns: withFacts(choices, facts, { kind, isStrict }), typesAreOpen: false };
}

const columnsOfNewTable = ({ detected, recipe }: Input): readonly ColumnChoice[] =>
  recipe ? recipeChoices(recipe, detected.columns, 'new-table') : choicesForNewTable(detected.columns);

function columnsOfTable({ options, tell }: CommandSession, input: Input, detail: TableDetail): readonly ColumnChoice[] {
  const { detected, recipe } = input;
  const names = writable(detail.columns);
  const choices =
    recipe && options.flag('by-order') !== true
      ? withoutExisting(recipeChoices(recipe, detected.columns, 'table'), names)
      : matched(options.flag('by-order') === true, input, detail);
  if (options.flag('add-columns') === true)
    return withNewColumns(
      choices,
      detail.columns.map(({ name }) => name),
    );
  const left = choices.filter(({ name }) => name === null).map(({ source }) => source);
  // A recipe may leave out columns on purpose.
  if (left.length > 0 && !recipe) tell.say(`Not in “${detail.name}”, so not imported: ${some(left)}.`);
  return choices;
}

/** @throws AppError `invalid` */
function matched(byOrder: boolean, { name, detected }: Input, detail: TableDetail): readonly ColumnChoice[] {
  const names = writable(detail.columns);
  const byName = choicesByName(detected.columns, names);
  // Columns of a file without a header are only named here.
  const isNameless = !detected.options.hasHeader && importedOf(byName).length === 0;
  const columns = byOrder || isNameless ? choicesByOrder(detected.columns, names) : byName;
  if (importedOf(columns).length > 0) return columns;
  throw AppError.invalid(
    `No column of “${name}” (${some(detected.columns)}) has the name of a column of “${detail.name}” (${some(names)}). Nothing was changed. Import them --by-order, or choose another table.`,
  );
}

const some = (names: readonly string[]): string =>
  names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');

/** Facts about all files, so that each column gets a type that stores every field exactly as written. */
async function factsOf(
  { engine, signal, tell }: CommandSession,
  inputs: readonly Input[],
): Promise<readonly ColumnFacts[]> {
  const all: (readonly ColumnFacts[])[] = [];
  for (const { source, detected } of inputs) {
    const analysis = await engine.client.call(
      'import.analyze',
      { source, options: detected.options },
      { signal, onChunk: tell.progress },
    );
    all.push(analysis.columns);
  }
  return mergedFacts(all);
}

// Finds one type for a column that comes from several files, such that every field is stored exactly as written.

/** Merges facts by the column names of the first file. If the files disagree the type is TEXT, which changes nothing. */
export function mergedFacts(files: readonly (readonly ColumnFacts[])[]): readonly ColumnFacts[] {
  const [first = [], ...others] = files;
  return first.map((own) => {
    const same = others.flatMap((facts) => facts.filter(({ name }) => name === own.name));
    const types = new Set([own, ...same].filter(holdsSomething).map(({ suggested }) => suggested));
    const [only = own.suggested] = types;
    return { ...own, suggested: types.size > 1 ? 'TEXT' : only };
  });
}

const holdsSomething = ({
  integers,
  beyond64,
  leadingZeros,
  plusSigns,
  hex,
  reals,
  inexactReals,
  ...rest
}: ColumnFacts) =>
  integers + beyond64 + leadingZeros + plusSigns + hex + reals + inexactReals > 0 ||
  rest.booleans + rest.texts + rest.json + rest.blobs + rest.quotedEmpty > 0 ||
  Object.keys(rest.dates).length + Object.keys(rest.thousands).length > 0;
