// `sidelite import` for files that contain tables: SQL dumps and other SQLite files. Tables keep their definitions and names.
import { counted } from '#shared/counted.ts';
import { canMove, choiceProblems, firstChoices, planOf } from '#shared/import/transfer-choices.ts';
import type { TransferChoices } from '#shared/import/transfer-choices.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { SQL_DIALECTS } from '#shared/protocol/transfer.ts';
import type {
  DatabaseId,
  ImportSource,
  LeftOut,
  SqlDialect,
  TransferContents,
  TransferReply,
} from '#shared/protocol/index.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { UsageError, type Options } from './parse.ts';

const SAID = 5;
/** Options about how rows of one table are read or matched. */
const OF_ROWS = [
  'create', 'replace', 'upsert', 'strict', 'by-order', 'add-columns', 'recipe', 'save-recipe', 'header', 'null',
] as const; // prettier-ignore

interface TablesInput {
  readonly name: string;
  readonly source: ImportSource;
}

/** @throws UsageError */
export function assertFitsTables(options: Options, inputs: readonly TablesInput[]): void {
  const wrong = OF_ROWS.find((name) => options.has(name));
  if (wrong !== undefined) throw new UsageError(`--${wrong} is for rows; this file contains tables.`);
  if (options.has('table') && inputs.length > 1)
    throw new UsageError('--table names one table; these files contain more.');
}

export async function importTables(
  session: CommandSession,
  database: DatabaseId,
  inputs: readonly TablesInput[],
): Promise<Outcome> {
  const results = [];
  for (const input of inputs) results.push(await importOne(session, database, input));
  const isPartly = results.some(
    ({ problems, notUnderstood, leftOut }) => problems + notUnderstood + leftOut.length > 0,
  );
  return {
    exitCode: isPartly ? EXIT.partly : EXIT.done,
    summary: { database: session.pathOf(session.options.text('into') ?? ''), files: results },
  };
}

async function importOne(
  { engine, options, signal, tell }: CommandSession,
  database: DatabaseId,
  { name, source }: TablesInput,
): Promise<TransferReply & { readonly file: string; readonly notUnderstood: number; readonly statements: unknown }> {
  const contents = await engine.client.call(
    'transfer.open',
    { database, into: database, source, dialect: dialectOf(options), encoding: options.text('encoding') ?? null },
    { signal, onChunk: tell.progress },
  );
  const { objects } = await engine.client.call('schema.get', { database });
  const taken = objects.filter(({ kind }) => kind !== 'index' && kind !== 'trigger').map((object) => object.name);
  const choices = chosenTables(options, contents, taken);
  const unread = choices.tables.flatMap(({ isChosen, kind, name: table, problem }): LeftOut[] =>
    isChosen || problem === null ? [] : [{ kind: kind === 'view' ? 'view' : 'table', name: table, reason: problem }],
  );
  const withoutUndo = options.flag('without-undo') === true;
  const reply = await engine.client.call(
    'transfer.move',
    {
      database,
      id: contents.id,
      plan: planOf(choices),
      ...(withoutUndo && { withoutUndo }),
    },
    { signal, onChunk: tell.progress },
  );
  await engine.client.call('transfer.close', { database, id: contents.id });
  const { notUnderstood = 0, statements = [] } = contents.sql ?? {};
  const leftOut = [...unread, ...reply.leftOut];
  const unreadNotes = unread.map(({ kind, name: table, reason }) => `The ${kind} “${table}” was left out. ${reason}`);
  const notes = [...contents.notes, ...unreadNotes, ...reply.notes];
  const { encoding = 'utf-8' } = contents.sql ?? {};
  for (const note of [...notes, ...encodingHint(options, encoding, false)]) tell.say(note);
  for (const { line, reason, text } of statements.slice(0, SAID))
    tell.say(`${name}, line ${line}: ${reason} (${text})`);
  for (const hint of moreHint(name, notUnderstood, SAID, statements.length)) tell.say(hint);
  for (const { table, row, reason } of reply.kept.slice(0, SAID)) tell.say(`${table}, row ${row}: ${reason}`);
  for (const hint of moreHint(name, reply.problems, SAID, reply.kept.length)) tell.say(hint);
  const rows = reply.tables.reduce((sum, table) => sum + table.rows, 0);
  const left = notUnderstood > 0 ? ` Not understood and left out: ${counted(notUnderstood, 'statement')}.` : '';
  tell.say(`“${name}”: ${counted(reply.tables.length, 'table')}, ${counted(rows, 'row')}.${left}`);
  return { file: name, ...reply, notes, leftOut, timeMs: Math.round(reply.timeMs), notUnderstood, statements };
}

/** @throws UsageError */
export function dialectOf(options: Options): SqlDialect | null {
  const name = options.text('dialect')?.toLowerCase();
  if (name === undefined) return null;
  const dialect = SQL_DIALECTS.find((known) => known === name);
  if (dialect === undefined) throw new UsageError(`--dialect is one of ${SQL_DIALECTS.join(', ')}.`);
  return dialect;
}

/** @throws AppError `not-found`, `exists`, `invalid` */
function chosenTables(options: Options, contents: TransferContents, taken: readonly string[]): TransferChoices {
  const [part, into] = [options.text('part'), options.text('table')];
  const first = firstChoices(contents, taken);
  const isWanted = (name: string): boolean => part === undefined || name.toLowerCase() === part.toLowerCase();
  const wanted = first.tables.filter(({ name }) => isWanted(name));
  if (wanted.length === 0) {
    const [left] = contents.sql?.statements ?? [];
    const why = left === undefined || part !== undefined ? '' : ` Line ${left.line}: ${left.reason}`;
    throw AppError.notFound(
      `There is no table${part === undefined ? '' : ` “${part}”`} in “${contents.fileName}”.${why} Nothing was changed.`,
    );
  }
  if (into !== undefined && wanted.length > 1)
    throw new UsageError(
      `“${contents.fileName}” holds ${wanted.length} tables. Choose the one for --table with --part NAME.`,
    );
  const tables = wanted.map((table) => {
    const target = into ?? table.into;
    const isTaken = taken.some((name) => name.toLowerCase() === target.toLowerCase());
    const isAdded = options.flag('append') === true || table.isUndefined;
    const how = isTaken && table.kind === 'table' && isAdded ? 'append' : 'new';
    return { ...table, isChosen: canMove(table), into: target, how } as const;
  });
  const choices = { ...first, tables, looseKeys: options.flag('loose-keys') === true };
  const [problem] = choiceProblems(choices, taken).values();
  if (problem === undefined) return choices;
  const isTaken = tables.some((table) => taken.some((name) => name.toLowerCase() === table.into.toLowerCase()));
  throw new AppError({
    code: isTaken ? 'exists' : 'invalid',
    message: `${problem} Nothing was changed.${isTaken ? ' With --append the rows are added to tables that exist.' : ''}`,
  });
}

/** Encodings that a file shows by itself. */
const CERTAIN = /^utf-/i;

/** Where the encoding is a guess. @param isNoted for `ascii`: the file had more than ASCII, or something else to be said */
export function encodingHint(options: Options, encoding: string, isNoted: boolean): readonly string[] {
  const isGuess = encoding.toLowerCase() === 'ascii' ? isNoted : !CERTAIN.test(encoding);
  return isGuess && !options.has('encoding') ? ['--encoding NAME chooses another encoding.'] : [];
}

/** Where only the first are said. @param listed how many the summary has at most */
export function moreHint(name: string, all: number, said: number, listed: number): readonly string[] {
  if (all <= said) return [];
  const which = all > listed ? `the first ${listed.toLocaleString('en-US')}` : 'all of them';
  return [`${name}: ${(all - said).toLocaleString('en-US')} more; --json lists ${which}.`];
}
