// `sidelite import`: imports the rows of files into a table, with the same initial choices as a window, or those of a recipe.
import { tableNameFor, type ColumnChoice } from '#shared/import/column-choices.ts';
import { holdsTables, NAMED_IMPORT_FORMATS, placeWord, type ImportFormatId } from '#shared/import-formats.ts';
import { planOf } from '#shared/import/plan.ts';
import {
  differencesOf,
  findRecipe,
  recipeOptions,
  recipeTarget,
  readRecipes,
  recipeOf,
} from '#shared/import/recipes.ts';
import type { Recipe } from '#shared/import/recipes.ts';
import type { TargetChoice, Existing } from '#shared/import/target-choice.ts';
import { AppError, toAppError, toErrorData, whatHappened } from '#shared/protocol/errors.ts';
import type {
  DatabaseId,
  DetectedSource,
  Evidence,
  ImportOptions,
  ImportSource,
  RowsImportReply,
} from '#shared/protocol/index.ts';
import { unpackedSource } from './archives.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { chooseColumns, type Input } from './import-columns.ts';
import { encodingHint, moreHint, assertFitsTables, importTables } from './import-tables.ts';
import { UsageError, type Options } from './parse.ts';
import { stat } from 'node:fs/promises';
import { isMissing, readError } from '../files/file-errors.ts';
import { realTarget } from '../files/real-target.ts';
import { firstBytes } from '../files/side-files.ts';
import type { ReadLimit } from './files.ts';

const MAX_PROBLEMS = 10_000;
/** Problems printed per file; the summary has more. */
const PROBLEMS_SAID = 5;
const PROBLEMS_IN_SUMMARY = 1000;
/** Sheets that are left out, in one sentence. */
const PARTS_SAID = 5;
const NULLS_SAID = 5;

export async function runImport(session: CommandSession): Promise<Outcome> {
  const { options, operands, engine } = session;
  const into = options.text('into');
  if (into === undefined) throw new UsageError('--into DB is missing. DB is the database to import into.');
  givenOptions(options);
  const recipes = await readRecipeFile(session);
  await assertSavesRecipe(session, into);
  const maxProblems = options.whole('max-problems', MAX_PROBLEMS);
  // Every file is examined before anything is changed.
  const inputs: Input[] = [];
  for (const operand of operands) inputs.push(await detect(session, operand, recipes));
  for (const input of inputs) await assertHasColumns(session, input);
  const ofTables = inputs.filter(({ detected }) => holdsTables(detected.options.format));
  if (ofTables.length > 0 && ofTables.length < inputs.length)
    throw new UsageError('Files of rows and files that contain tables cannot be imported together.');
  if (ofTables.length > 0) assertFitsTables(options, ofTables);
  const database = await engine.open(session.pathOf(into), { access: 'create' });
  if (ofTables.length > 0) return await importTables(session, database, ofTables);
  const tables = await tableNames(session, database);
  const { target, notes } = chooseTarget(session, inputs[0]!, tables);
  for (const note of notes) session.tell.say(note);
  const results: FileResult[] = [];
  for (const [at, input] of inputs.entries()) {
    // The first file creates the table, the others add to it.
    const own = at === 0 ? target : following(target, results[0]!.table);
    try {
      const { columns, typesAreOpen } = await chooseColumns(session, { input, inputs, target: own, database });
      if (at === 0) await saveRecipe(session, input, { target: own, columns });
      results.push(await importOne(session, { input, target: own, columns, typesAreOpen, database, maxProblems }));
    } catch (thrown) {
      throw afterOthers(thrown, input, results);
    }
  }
  const problems = results.reduce((sum, result) => sum + result.problems, 0);
  return {
    exitCode: problems > 0 ? EXIT.partly : EXIT.done,
    summary: { database: session.pathOf(into), table: results[0]!.table, files: results },
  };
}

async function detect(session: CommandSession, operand: string, recipes: readonly Recipe[]): Promise<Input> {
  const { engine, files, options } = session;
  const given = givenOptions(options);
  const path = session.pathOf(operand);
  const read = given.format === undefined ? await unpackedSource(session, path) : path;
  const source: ImportSource = { kind: 'file', token: await files.addSource(read) };
  const detected = await engine.client.call('import.detect', { source, options: given });
  // A recipe named by the user applies, whatever file it was made for; of several, the one that fits applies.
  const recipe = recipes.length === 1 ? recipes[0]! : findRecipe(recipes, detected);
  if (!recipe) return { name: operand, source, detected, recipe };
  const again = await engine.client.call('import.detect', {
    source,
    options: { ...recipeOptions(recipe, detected), ...given },
  });
  return { name: operand, source, detected: again, recipe };
}

/** @throws AppError `invalid` with what is wrong with a file of which no row can be read */
async function assertHasColumns({ engine }: CommandSession, { name, source, detected }: Input): Promise<void> {
  const { options, columns, parts } = detected;
  if (columns.length > 0 || holdsTables(options.format)) return;
  const { firstProblem } = await engine.client.call('import.analyze', { source, options });
  const sheets = parts.length > 1 ? ` ${partNotes(detected).join(' ')}` : '';
  throw AppError.invalid(
    `${firstProblem === null ? `There are no rows in “${name}”.${sheets}` : `No row of “${name}” can be read. ${firstProblem.reason}`} Nothing was changed.`,
  );
}

async function tableNames({ engine }: CommandSession, database: DatabaseId): Promise<readonly string[]> {
  const { objects } = await engine.client.call('schema.get', { database });
  return objects.filter(({ kind }) => kind !== 'index' && kind !== 'trigger').map(({ name }) => name);
}

/** @throws UsageError, or AppError `exists`, `not-found` */
function chooseTarget(
  { options }: CommandSession,
  { detected, recipe }: Input,
  tables: readonly string[],
): { readonly target: TargetChoice; readonly notes: readonly string[] } {
  const fallback = targetOf(options, tables, options.text('table') ?? tableNameFor(detected.fileName, []));
  if (!recipe) return { target: fallback, notes: [] };
  const notes = differencesOf(recipe, detected.columns, null);
  // The command line overrides the recipe.
  if (options.has('table')) return { target: fallback, notes };
  const { target, note } = recipeTarget({ ...recipe, target: { ...recipe.target, database: '' } }, tables, fallback);
  return { target, notes: note === null ? notes : [...notes, note] };
}

const following = (target: TargetChoice, table: string): TargetChoice =>
  target.kind === 'table' && target.mode === 'upsert'
    ? target
    : { ...target, kind: 'table', table, mode: 'append', key: [] };

interface Importing {
  readonly input: Input;
  readonly target: TargetChoice;
  readonly columns: readonly ColumnChoice[];
  readonly typesAreOpen: boolean;
  readonly database: DatabaseId;
  readonly maxProblems: number;
}

interface FileResult extends Omit<RowsImportReply, 'id' | 'keptProblems' | 'timeMs' | 'analysis'> {
  readonly file: string;
  /** How the file was read, and why. */
  readonly options: ImportOptions;
  readonly evidence: readonly Evidence[];
  /** Other readings that are nearly as likely, each with the option that chooses it. */
  readonly alsoPossible: readonly { readonly title: string; readonly reason: string; readonly option: string }[];
  readonly timeMs: number;
  readonly records: readonly { readonly line: number; readonly reason: string; readonly fields: readonly string[] }[];
}

async function importOne(
  { engine, options, signal, tell }: CommandSession,
  { input, target, columns, typesAreOpen, database, maxProblems }: Importing,
): Promise<FileResult> {
  const { source, detected } = input;
  const plan = planOf({ source, options: detected.options, target, columns, typesAreOpen, maxProblems });
  const withoutUndo = options.flag('without-undo') === true;
  const reply = await engine.client.call(
    'import.run',
    { database, plan, ...(withoutUndo && { withoutUndo }) },
    { signal, onChunk: tell.progress },
  );
  const { id, keptProblems, timeMs, analysis: _counted, ...told } = reply;
  const limit = Math.min(keptProblems, PROBLEMS_IN_SUMMARY);
  const { problems: records } =
    limit === 0 ? { problems: [] } : await engine.client.call('import.problems', { database, id, offset: 0, limit });
  const unexpected = detected.evidence.flatMap(({ option, isUnexpected, reason }) =>
    isUnexpected && !(option === 'encoding' && options.has('encoding')) ? [reason] : [],
  );
  const notes = [...unexpected, ...partNotes(detected), ...told.notes];
  const alsoPossible = detected.readings
    .slice(1)
    .map(({ title, reason, options: change }) => ({ title, reason, option: optionsFor(change) }));
  tell.say(readAs(input));
  for (const { title, reason, option } of alsoPossible) tell.say(`Also possible with ${option}: ${title}. ${reason}`);
  for (const note of [...notes, ...encodingHint(options, detected.options.encoding, told.notes.length > 0)])
    tell.say(note);
  const place = placeWord(detected.options.format).toLowerCase();
  for (const { line, reason } of records.slice(0, PROBLEMS_SAID))
    tell.say(`${input.name}, ${place} ${line}: ${reason}`);
  for (const hint of moreHint(input.name, told.problems, PROBLEMS_SAID, records.length)) tell.say(hint);
  tell.say(asText(input.name, reply));
  const { options: read, evidence } = detected;
  return {
    file: input.name,
    options: read,
    evidence,
    alsoPossible,
    ...told,
    notes,
    timeMs: Math.round(timeMs),
    records,
  };
}

/** “people.csv” is read as CSV: utf-8, delimiter “,”, names in the first line. */
function readAs({ name, detected: { options, evidence } }: Input): string {
  const { format, encoding, delimiter, quote, escape, comment, skipsBlanks, skipLines, hasHeader } = options;
  const ofFormat = NAMED_IMPORT_FORMATS.find(({ id }) => id === format)?.title ?? format;
  const title = format === 'csv' ? (delimiter === '\t' ? 'TSV' : 'CSV') : ofFormat;
  const line = evidence.find(({ option }) => option === 'hasHeader')?.line ?? skipLines + 1;
  const names = hasHeader ? `names in ${line > 1 ? `line ${line}` : 'the first line'}` : 'no names';
  const nulls = options.nullTokens.filter((token) => token !== '').map((token) => `“${token}”`);
  const ofCsv = [
    delimiter === '' ? 'one column' : `delimiter “${SHOWN[delimiter] ?? delimiter}”`,
    ...(quote === '"' ? [] : [quote === '' ? 'no quotes' : `quote “${quote}”`]),
    ...(escape === '' ? [] : [`escape “${escape}”`]),
    ...(comment === '' ? [] : [`comments after “${comment}”`]),
    ...(skipsBlanks ? ['without blanks after delimiters'] : []),
    ...(options.decimalComma ? ['decimal comma'] : []),
    ...(nulls.length === 0 ? [] : [`${someOf(nulls)} as NULL`]),
  ];
  const facts = format === 'csv' ? [encoding, ...ofCsv, names] : format === 'xlsx' ? [names] : [];
  return `“${name}” is read as ${[title, ...facts.slice(0, 1)].join(': ')}${['', ...facts.slice(1)].join(', ')}.`;
}

/** A recipe may name any number. */
const someOf = (texts: readonly string[]): string =>
  [...texts.slice(0, NULLS_SAID), ...(texts.length > NULLS_SAID ? [`${texts.length - NULLS_SAID} more`] : [])].join(
    ' and ',
  );

const SHOWN: Readonly<Record<string, string>> = { '\t': '\\t', '\x14': '\\x14', '\x1f': '\\x1f', '\x01': '\\x01' };

/** What is not imported of a file that has more than one part, unless the part was chosen. */
function partNotes({ options, parts, evidence }: DetectedSource): readonly string[] {
  const reasons = evidence.filter(({ option }) => option === 'part').map(({ reason }) => reason);
  if (reasons.length > 0 || options.format !== 'xlsx' || parts.length < 2) return reasons;
  const others = parts.filter((name) => name !== options.part).map((name) => `“${name}”`);
  const left =
    others.length > PARTS_SAID
      ? `${others.slice(0, PARTS_SAID).join(', ')} and ${others.length - PARTS_SAID} more`
      : others.join(', ');
  return [`Only “${options.part}” of ${parts.length} sheets is imported, without ${left}; --part chooses another.`];
}

function asText(name: string, { table, added, removed, changed, equal, skipped, problems }: RowsImportReply): string {
  const counts = [
    `${added.toLocaleString('en-US')} added`,
    ...(removed > 0 ? [`${removed.toLocaleString('en-US')} deleted`] : []),
    ...(changed > 0 ? [`${changed.toLocaleString('en-US')} changed`] : []),
    ...(equal > 0 ? [`${equal.toLocaleString('en-US')} equal`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString('en-US')} skipped`] : []),
    ...(problems > 0 ? [`${problems.toLocaleString('en-US')} not imported`] : []),
  ];
  return `“${name}” into “${table}”: ${counts.join(', ')}.`;
}

/** Earlier files stay imported: each file is its own transaction. */
function afterOthers(thrown: unknown, { name }: Input, done: readonly FileResult[]): unknown {
  if (!(thrown instanceof AppError) || done.length === 0) return thrown;
  const error = toAppError(thrown);
  const message = `“${name}”: ${whatHappened(error)} ${done.length === 1 ? 'The file before it was' : `The ${done.length} files before it were`} imported and kept.`;
  return new AppError({ ...toErrorData(error), message });
}
const EXISTING: readonly Existing[] = ['overwrite', 'fill', 'skip'];

/** The options that are given instead of detected. @throws UsageError */
export function givenOptions(options: Options): Partial<ImportOptions> {
  const text = <K extends keyof ImportOptions>(name: string, key: K): Partial<ImportOptions> => {
    const value = options.text(name);
    return value === undefined ? {} : { [key]: value };
  };
  const flag = (name: string, key: keyof ImportOptions): Partial<ImportOptions> => {
    const value = options.flag(name);
    return value === undefined ? {} : { [key]: value };
  };
  const format = options.text('format')?.toLowerCase();
  const delimiter = options.text('delimiter');
  return {
    ...(format !== undefined && { format: format as ImportFormatId }),
    ...(format === 'tsv' && { format: 'csv', delimiter: '\t' }),
    ...(delimiter !== undefined && { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
    ...text('encoding', 'encoding'),
    ...text('quote', 'quote'),
    ...text('escape', 'escape'),
    ...text('comment', 'comment'),
    ...text('part', 'part'),
    ...flag('header', 'hasHeader'),
    ...flag('skip-blanks', 'skipsBlanks'),
    ...flag('decimal-comma', 'decimalComma'),
    ...(options.has('skip-lines') && { skipLines: options.whole('skip-lines', 0) }),
    ...(options.has('null') && { nullTokens: options.texts('null') }),
  };
}

/** The options that choose another reading of a file, as they are typed: `--delimiter ";"`, `--no-header`. */
export function optionsFor(reading: Partial<ImportOptions>): string {
  const words = Object.entries(reading).map(([key, value]) => {
    const name = key === 'hasHeader' ? 'header' : key === 'skipLines' ? 'skip-lines' : key;
    if (typeof value === 'boolean') return value ? `--${name}` : `--no-${name}`;
    return `--${name} ${quotedWord(String(value === '\t' ? '\\t' : value))}`;
  });
  return words.join(' ');
}

/** As shells take it. */
function quotedWord(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text;
  return /["\\]/.test(text) ? `'${text}'` : `"${text}"`;
}

/**
 * By default, rows are added to an existing table, and a missing table is created.
 * @throws UsageError, or AppError `exists`, `not-found`
 */
export function targetOf(options: Options, tables: readonly string[], table: string): TargetChoice {
  const modes = (['create', 'append', 'replace', 'upsert'] as const).filter((name) => options.has(name));
  const [mode] = modes;
  if (modes.length > 1) throw new UsageError(`Use only one of ${modes.map((name) => `--${name}`).join(' and ')}.`);
  // SQLite compares names without regard to ASCII case.
  const existing = tables.find((name) => name.toLowerCase() === table.toLowerCase());
  if (mode === 'create' && existing !== undefined)
    throw AppError.exists(
      `There is already a table “${existing}”. Nothing was changed. Leave out --create to add to it.`,
    );
  if (mode !== undefined && mode !== 'create' && existing === undefined)
    throw AppError.notFound(
      `There is no table “${table}” in this database. Nothing was changed. Leave out --${mode} to create it.`,
    );
  const wanted = options.text('existing');
  const what = EXISTING.find((name) => name === (wanted ?? 'overwrite'));
  if (!what) throw new UsageError(`--existing takes ${EXISTING.join(', ')}, not “${wanted}”.`);
  if (wanted !== undefined && mode !== 'upsert') throw new UsageError('--existing requires --upsert.');
  return {
    database: '',
    databaseName: '',
    kind: existing === undefined ? 'new-table' : 'table',
    newTable: table,
    strict: options.flag('strict') === true,
    table: existing ?? null,
    mode: mode === 'replace' || mode === 'upsert' ? mode : 'append',
    key:
      mode === 'upsert'
        ? options
            .text('upsert')!
            .split(',')
            .map((name) => name.trim())
        : [],
    existing: what,
  };
}

/** A recipe of 2,000 columns has some 500 KB; a million empty objects in 4 MB took 340 MB of memory. */
const RECIPES: ReadLimit = {
  bytes: 2 << 20,
  sentence: (name) => `“${name}” is larger than 2 MB, so it is no recipe. Nothing was imported.`,
};

/** @throws AppError */
async function readRecipeFile(session: CommandSession): Promise<readonly Recipe[]> {
  const name = session.options.text('recipe');
  if (name === undefined) return [];
  const recipes = recipesIn((await session.files.readAll(session.pathOf(name), RECIPES)).toString());
  if (recipes.length > 0) return recipes;
  throw AppError.invalid(`“${name}” contains no recipe. Nothing was imported.`);
}

function recipesIn(text: string): readonly Recipe[] {
  try {
    const stored: unknown = JSON.parse(text);
    return readRecipes(Array.isArray(stored) ? stored : [stored]);
  } catch {
    return [];
  }
}

/**
 * Call before anything is changed.
 * @throws UsageError, AppError `exists` for a file that is no recipe, such as the database itself
 */
async function assertSavesRecipe(session: CommandSession, into: string): Promise<void> {
  const name = session.options.text('save-recipe');
  if (name === undefined) return;
  const path = session.pathOf(name);
  if (realTarget(path) === realTarget(session.pathOf(into)))
    throw new UsageError('--save-recipe names the database itself. Specify another file.');
  const before = await beginningOf(path).catch((thrown: unknown) => {
    if (isMissing(thrown)) return '';
    throw readError(name, thrown);
  });
  if (before === '' || recipesIn(before).length > 0) return;
  throw AppError.exists(
    `“${name}” exists and is no recipe, so it is not replaced. Nothing was imported. Specify another file with --save-recipe.`,
  );
}

/** Empty for what is not a file, which is written into. */
const beginningOf = async (path: string): Promise<string> =>
  (await stat(path)).isFile() ? (await firstBytes(path, RECIPES.bytes)).toString() : '';

/** @throws AppError */
async function saveRecipe(
  session: CommandSession,
  { detected }: Input,
  chosen: Pick<Parameters<typeof recipeOf>[1], 'target' | 'columns'>,
): Promise<void> {
  const name = session.options.text('save-recipe');
  if (name === undefined) return;
  const recipe = recipeOf(detected.fileName, { options: detected.options, ...chosen }, Date.now());
  await session.files.write(session.pathOf(name), Buffer.from(`${JSON.stringify(recipe, null, 2)}\n`));
}
