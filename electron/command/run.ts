// `sidelite run`: a script, as an SQL tab runs it.
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import { AppError, toErrorData, whatHappened } from '#shared/protocol/errors.ts';
import type { DatabaseId, QueryReply, ReaderId } from '#shared/protocol/index.ts';
import { UNPACKED, unpackedPath } from './archives.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { chosenFormat } from './export.ts';
import type { ReadLimit } from './files.ts';
import { printText } from './io.ts';
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { MOST_ATTACHED, problemOfAttachedName } from '#shared/attached-files.ts';
import type { AttachedPath } from '#shared/native-link.ts';
import { UsageError } from './parse.ts';

export async function runScript(session: CommandSession): Promise<Outcome> {
  const { options, operands, engine } = session;
  const [script = '', file = ''] = operands;
  const sql = await textOf(session, script);
  const formats = await engine.client.call('export.formats', {});
  const format = chosenFormat(formats, options.text('format') ?? 'csv', '-', 'query');
  const path = session.pathOf(file);
  const opened = await unpackedPath(session, path);
  const access =
    opened === path ? ({ access: 'write' } as const) : ({ access: 'read', whyReadOnly: UNPACKED } as const);
  const database = await engine.open(opened, { ...access, attached: attachedOf(session, path) });
  const readers: ReaderId[] = [];
  const inOne = options.flag('transaction') === true;
  if (inOne) await execute(session, database, 'BEGIN IMMEDIATE');
  const reply = await execute(session, database, sql, readers).catch(async (thrown: unknown) => {
    throw thrown instanceof AppError ? await withKept(session, database, thrown, inOne) : thrown;
  });
  if (inOne) await execute(session, database, 'COMMIT');
  else if (reply.transactionOpen)
    throw AppError.sql(
      'The script ended with an open transaction, so the transaction was rolled back. End it with COMMIT.',
    );
  // The summary has standard output for itself.
  if (!options.flag('json')) {
    for (const [at, reader] of readers.entries()) {
      if (at > 0) await printText('\n');
      await engine.client.call('export.file', {
        database,
        source: { kind: 'result', reader, sql: null },
        format: format.id,
        options: DEFAULT_EXPORT_OPTIONS,
        sink: session.files.addSink('-'),
      });
    }
    if (reply.results > readers.length)
      session.tell.say(`Only the first ${readers.length} results were printed; the script returned ${reply.results}.`);
  }
  const { statements, results, rowsChanged, timeMs } = reply;
  return { exitCode: EXIT.done, summary: { statements, results, rowsChanged, timeMs: Math.round(timeMs) } };
}

const UNCHANGED = 'Nothing was changed.';

/** The error, and what is left of the statements before the one that failed. */
async function withKept(
  session: CommandSession,
  database: DatabaseId,
  error: AppError,
  inOne: boolean,
): Promise<AppError> {
  // SQLite has no open transaction where this fails.
  const isRolledBack = await execute(session, database, 'ROLLBACK').then(
    () => true,
    () => false,
  );
  // A run that was stopped says so itself.
  if (error.code === 'stopped') return error;
  const before = Number(error.detail?.['statement'] ?? 0);
  const sentences = inOne ? [whatHappened(error), UNCHANGED] : [error.message, ...keptSentences(before, isRolledBack)];
  return new AppError({ ...toErrorData(error), message: sentences.join(' ') });
}

function keptSentences(before: number, isRolledBack: boolean): readonly string[] {
  const ran = before === 1 ? '1 statement before it ran.' : `${before} statements before it ran.`;
  return [...(before > 0 ? [ran] : []), ...(isRolledBack ? ['The open transaction was rolled back.'] : [])];
}

/** @throws AppError that says where in the script it failed */
export async function execute(
  { engine, options, signal, tell }: CommandSession,
  database: DatabaseId,
  sql: string,
  readers: ReaderId[] = [],
): Promise<QueryReply> {
  try {
    return await engine.client.call(
      'query.run',
      { database, sql, ...(options.flag('without-undo') && { withoutUndo: true }) },
      {
        signal,
        onChunk(events) {
          for (const event of events) {
            if (event.kind === 'result') readers.push(event.reader.reader);
            if (event.kind === 'progress') tell.progress(event.progress);
          }
        },
      },
    );
  } catch (thrown) {
    throw thrown instanceof AppError ? placed(thrown, sql) : thrown;
  }
}

function placed(error: AppError, sql: string): AppError {
  const offset = error.sqlite?.offset ?? -1;
  if (offset < 0) return error;
  const before = sql.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const at = `Line ${line}, column ${column}`;
  const what = error.what === undefined ? {} : { what: `${at}: ${error.what}` };
  return new AppError({ ...toErrorData(error), ...what, message: `${at}: ${error.message}` });
}

/** The engine gets a script as one text, of which it makes copies. */
const SCRIPT: ReadLimit = {
  bytes: 128 << 20,
  sentence: (name) =>
    `“${name}” is larger than 128 MB, the most that can be run. Import a dump instead (sidelite import), or split the script. Nothing was run.`,
};

export async function textOf({ pathOf, files }: CommandSession, script: string): Promise<string> {
  const bytes = await files.readAll(pathOf(script), SCRIPT);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw AppError.invalid(`“${script}” is not UTF-8 text. Nothing was run.`);
  }
}

/** @param database the file that they are attached to @throws UsageError */
export function attachedOf(
  { options, pathOf }: Pick<CommandSession, 'options' | 'pathOf'>,
  database: string,
): readonly AttachedPath[] {
  const files = (['attach', 'attach-writable'] as const).flatMap((option) =>
    options.texts(option).map((text) => readAttached(option, text, pathOf)),
  );
  if (files.length > MOST_ATTACHED)
    throw new UsageError(
      `${files.length} files are to be attached, and SQLite attaches at most ${MOST_ATTACHED} here.`,
    );
  const paths = [realPathOf(database)];
  files.forEach(({ name, path }, at) => {
    const problem = problemOfAttachedName(name, files.slice(0, at).map((other) => other.name)); // prettier-ignore
    if (problem !== null) throw new UsageError(problem);
    if (paths.includes(path))
      throw new UsageError(`“${basename(path)}” is the database itself, or is attached under another name.`);
    paths.push(path);
  });
  return files;
}

function readAttached(option: string, text: string, pathOf: (name: string) => string): AttachedPath {
  const at = text.indexOf('=');
  const [name, file] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || file === '') throw new UsageError(`--${option} takes a name and a file, as in --${option} old=old.db.`);
  if (file === '-') throw new UsageError('Standard input cannot be attached. Save it as a file first.');
  return { name, path: realPathOf(pathOf(file)), isWritable: option === 'attach-writable' };
}

/** A file named through any link is the same file. What is missing is named by the engine. */
const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
