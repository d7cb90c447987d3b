// `sidelite diff`: how one database differs from another.
import type { DiffForm, DiffOptions } from '#shared/protocol/diff.ts';
import { openCompared } from './compared-files.ts';
import { EXIT } from './exit-codes.ts';
import { outIsTerminal } from './io.ts';
import { UsageError } from './parse.ts';
import type { Options } from './parse.ts';
import type { CommandSession, Outcome } from './session.ts';

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
