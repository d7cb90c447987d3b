// `sidelite diff`: how one database differs from another.
import type { DiffForm, DiffOptions } from '#shared/protocol/diff.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { outIsTerminal } from './io.ts';
import { UsageError, type Options } from './parse.ts';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { unpackedPath } from './archives.ts';
import { isRevision, readRevision } from '../git/read-revision.ts';

const DEFAULT_LIMIT = 20;
const COLORS = ['auto', 'always', 'never'];

export async function runDiffCommand(session: CommandSession): Promise<Outcome> {
  const { operands, engine, files, tell, signal } = session;
  const [from = '', to = ''] = operands;
  const options = diffOptions(session.options, [from, to]);
  const [mine, theirs] = await openCompared(session, from, to);
  const { isEqual, notCompared } = await engine.client.call(
    'diff.write',
    {
      from: mine,
      to: theirs,
      options,
      sink: options.colors ? files.addColoredOutput() : files.addSink('-'),
    },
    { signal, onChunk: tell.progress },
  );
  for (const sentence of notCompared) tell.say(sentence);
  if (!isEqual) return { exitCode: EXIT.different, summary: null };
  return { exitCode: notCompared.length > 0 ? EXIT.partly : EXIT.done, summary: null };
}

/** @throws UsageError */
function diffOptions(options: Options, names: readonly [string, string]): DiffOptions {
  const form = formOf(options);
  const limit = options.has('limit') ? options.whole('limit', 0) : form === 'json' ? Infinity : DEFAULT_LIMIT;
  const tables = options.texts('table');
  return {
    form,
    limit: form === 'json' && options.flag('stat') === true ? 0 : limit === Infinity ? null : limit,
    schemaOnly: options.flag('schema-only') === true,
    tables: tables.length > 0 ? tables : null,
    ignoredColumns: options.texts('ignore-column'),
    colors: isColored(options) && (form === 'text' || form === 'stat'),
    names,
  };
}

/** @throws UsageError */
function formOf(options: Options): DiffForm {
  const isOn = (name: string): boolean => options.flag(name) === true;
  if (!isOn('sql')) return isOn('json') ? 'json' : isOn('stat') ? 'stat' : 'text';
  const other = ['json', 'stat', 'limit', 'ignore-column'].find((name) => options.has(name));
  if (other !== undefined) throw new UsageError(`--sql writes a whole script, so it cannot be used with --${other}.`);
  return 'sql';
}

/** @throws UsageError */
function isColored(options: Options): boolean {
  const when = options.text('color') ?? 'auto';
  if (!COLORS.includes(when)) throw new UsageError(`--color takes ${COLORS.join(', ')}, not “${when}”.`);
  return when === 'always' || (when === 'auto' && outIsTerminal() && !process.env['NO_COLOR']);
}

/** @throws UsageError, AppError */
async function openCompared(
  session: CommandSession,
  from: string,
  to: string,
): Promise<readonly [DatabaseId, DatabaseId]> {
  if (from === '-' && to === '-') throw new UsageError('Only one of A and B can be standard input.');
  const path = await pathFor(session, from);
  const mine = await session.engine.open(path, { access: 'read' });
  const other = await pathFor(session, to);
  // A hard link is another name of a file that is open, which cannot be opened twice.
  const isSame = fileAt(other) !== null && fileAt(other) === fileAt(path);
  return [mine, isSame ? mine : await session.engine.open(other, { access: 'read' })];
}

function fileAt(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || stats.ino === 0n ? null : `${stats.dev}:${stats.ino}`;
}

/** What can be read only once, such as standard input, is copied to a temporary file. */
async function pathFor(session: CommandSession, name: string): Promise<string> {
  return unpackedPath(session, await plainPath(session, name));
}

async function plainPath({ files, engine, pathOf, signal, cwd }: CommandSession, name: string): Promise<string> {
  const path = pathOf(name);
  const stats = name === '-' ? null : statSync(path, { throwIfNoEntry: false });
  const isMissing = stats === undefined && !isRevision(name);
  if (isMissing || stats?.isFile() === true || stats?.isDirectory() === true) return path;
  if (engine.isEncrypted)
    throw AppError.unavailable(
      'Standard input, pipes, and revisions are copied to a temporary file, but encrypted databases are not. Save it as a file first. Nothing was compared.',
    );
  if (stats !== undefined) return files.readOnce(path);
  // Named after the file, for messages.
  const target = files.temporaryFile(basename(name.slice(name.indexOf(':') + 1)));
  await readRevision(name, target, { cwd, signal });
  return target;
}
