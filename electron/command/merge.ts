// `sidelite merge`: what two databases changed since both were the same, as one.
import { statSync } from 'node:fs';
import { AppError } from '#shared/protocol/errors.ts';
import type { MergeOptions, MergeSide, SideChoices } from '#shared/protocol/merge.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { targetOf } from './export.ts';
import { printText } from './io.ts';
import { UsageError, type Options } from './parse.ts';

const DEFAULT_LIMIT = 20;
const JSON_LIMIT = 1000;

export async function runMerge(session: CommandSession): Promise<Outcome> {
  const { operands, engine, files, tell, signal } = session;
  const [base = '', ours = '', theirs = ''] = operands;
  const options = mergeOptions(session.options, [base, ours, theirs]);
  const target = targetOf(session);
  if (target === '-') throw new UsageError('Specify the file to write with -o OUT. It may be OURS.');
  const ids = await openThree(session);
  const sink = files.addSink(target);
  const { conflicts, report, notes } = await engine.client.call(
    'merge.write',
    { ...ids, options, sink },
    { signal, onChunk: tell.progress },
  );
  // Where OUT is one of the three, it cannot be replaced everywhere while it is open.
  for (const database of new Set(Object.values(ids))) await engine.client.call('database.close', { database });
  await files.commit(sink);
  for (const note of notes) tell.say(note);
  await printText(report);
  return { exitCode: conflicts > 0 ? EXIT.different : EXIT.done, summary: null };
}

/** @throws UsageError */
function mergeOptions(options: Options, names: MergeOptions['names']): MergeOptions {
  const form = options.flag('json') === true ? 'json' : 'text';
  const limit = options.count('limit', form === 'json' ? JSON_LIMIT : DEFAULT_LIMIT);
  if (!Number.isSafeInteger(limit)) throw new UsageError('--limit takes a whole number.');
  return { choices: choicesOf(options), form, limit, names };
}

/** @throws UsageError */
function choicesOf(options: Options): SideChoices {
  const choices = new Map<string, MergeSide>();
  for (const side of ['ours', 'theirs'] as const)
    for (const table of options.texts(side)) {
      if ((choices.get(table) ?? side) !== side)
        throw new UsageError(`--ours and --theirs were both given for ${table === '' ? 'all tables' : `“${table}”`}.`);
      choices.set(table, side);
    }
  const all = choices.get('') ?? null;
  choices.delete('');
  return { all, tables: Object.fromEntries(choices) };
}

type Three = Readonly<Record<'base' | 'ours' | 'theirs', string>>;

/** A file that is given twice is opened once. @throws AppError */
async function openThree({ operands, engine, pathOf }: CommandSession): Promise<Three> {
  const opened = new Map<string, string>();
  const ids: string[] = [];
  for (const operand of operands) {
    if (operand === '-') throw new UsageError('Standard input cannot be merged. Save it as a file first.');
    const path = pathOf(operand);
    const file = identityOf(path);
    const id = opened.get(file) ?? (await engine.open(path, { access: 'read' }));
    opened.set(file, id);
    ids.push(id);
  }
  return { base: ids[0]!, ours: ids[1]!, theirs: ids[2]! };
}

/** A hard link is another name of the same file. */
function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory())
    throw AppError.invalid(`“${path}” is not a regular file. Nothing was written. Save it as a file first.`);
  return stats === undefined || stats.ino === 0n ? path : `${stats.dev}:${stats.ino}`;
}
