// `sidelite export`: exports rows, definitions or everything, in the available formats.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import type { ExportFormatInfo, ExportOptions, ExportSource } from '#shared/protocol/export.ts';
import { unpackedPath } from './archives.ts';
import { outIsTerminal, printText } from './io.ts';
import { FORMAT_OPTIONS } from './options.ts';
import { didYouMean, UsageError, type Options } from './parse.ts';
import { type CommandSession, type Outcome, EXIT } from './session.ts';

const DEFAULT_FORMAT = 'csv';
const NOT_ENCRYPTED = 'The SQLite database that was written is not encrypted.';

/** Where the shell has put it into a file, that file goes on, and is not replaced. */
const STANDARD_OUTPUT = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/** Where `-o` says that the output goes; `-` is standard output. */
export function targetOf({ options, pathOf }: Pick<CommandSession, 'options' | 'pathOf'>): string {
  const output = options.text('output') ?? '-';
  return STANDARD_OUTPUT.has(output) ? '-' : pathOf(output);
}

export async function runExport(session: CommandSession): Promise<Outcome> {
  const { options, operands, engine, files, tell, signal } = session;
  const formats = await engine.client.call('export.formats', {});
  if (options.text('format') === 'list') {
    await printText(formats.map(({ id, label }) => `${id.padEnd(10)} ${label}\n`).join(''));
    return { exitCode: EXIT.done, summary: null };
  }
  const target = targetOf(session);
  const source = sourceOf(options);
  const format = chosenFormat(formats, options.text('format'), target, source.kind);
  const exportOptions = optionsOf(options, format);
  const path = session.pathOf(operands[0]!);
  assertOutput(session, { path, target, format });
  const database = await engine.open(await unpackedPath(session, path), { access: 'read' });
  if (source.kind === 'tables' && isFolder(target)) {
    const { rows, files: count } = await engine.client.call(
      'export.folder',
      {
        database,
        tables: source.tables,
        format: format.id,
        options: exportOptions,
        folder: files.addFolder(target),
        replace: true,
      },
      { signal, onChunk: tell.progress },
    );
    return { exitCode: EXIT.done, summary: { output: target, format: format.id, rows, files: count } };
  }
  const {
    rows,
    sizeBytes,
    notes: told,
    isPartial,
  } = await engine.client.call(
    'export.file',
    { database, source, format: format.id, options: exportOptions, sink: files.addSink(target) },
    { signal, onChunk: tell.progress },
  );
  const notes = engine.isEncrypted && format.id === 'sqlite' ? [...told, NOT_ENCRYPTED] : told;
  for (const note of notes) tell.say(note);
  const exitCode = isPartial === true ? EXIT.partly : EXIT.done;
  return { exitCode, summary: { output: target, format: format.id, rows, sizeBytes, notes } };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** @throws UsageError */
function sourceOf(options: Options): ExportSource {
  const tables = options.texts('table');
  const [table] = tables;
  const sql = options.text('sql');
  const where = options.text('where');
  const sources: ExportSource[] = [
    ...(tables.length > 1 ? [{ kind: 'tables', tables } as const] : []),
    ...(tables.length === 1 ? [{ kind: 'table', table: table!, ...(where !== undefined && { where }) } as const] : []),
    ...(sql === undefined ? [] : [{ kind: 'query', sql } as const]),
    ...(options.flag('schema') ? [{ kind: 'schema' } as const] : []),
    ...(options.flag('database') ? [{ kind: 'database' } as const] : []),
  ];
  const [source] = sources;
  if (!source || sources.length > 1)
    throw new UsageError('Specify what to export with one of --table NAME, --sql QUERY, --schema, and --database.');
  if (where !== undefined && source.kind !== 'table') throw new UsageError('--where requires exactly one --table.');
  return source;
}

/** @throws UsageError */
export function chosenFormat(
  formats: readonly ExportFormatInfo[],
  wanted: string | undefined,
  target: string,
  kind: ExportSource['kind'],
): ExportFormatInfo {
  const name = (wanted ?? /\.([^./\\]+)$/.exec(target)?.[1] ?? DEFAULT_FORMAT).toLowerCase();
  // Several formats write .sql files.
  const fits = ({ id, extension, sources }: ExportFormatInfo): boolean =>
    wanted === undefined && (id === name || extension === name) && sources.includes(kind);
  const format =
    formats.find(fits) ??
    formats.find(({ id }) => id === name) ??
    formats.find(({ extension, copyOnly }) => extension === name && !copyOnly) ??
    (wanted === undefined ? formats.find(({ id }) => id === DEFAULT_FORMAT) : undefined);
  if (format) return format;
  const names = formats.map(({ id }) => id);
  throw new UsageError(
    `There is no export format “${name}”.${didYouMean(name, names)} The formats are ${names.join(', ')}.`,
  );
}

/** @throws UsageError */
export function optionsOf(options: Options, format: ExportFormatInfo): ExportOptions {
  const chosen: Record<string, string | boolean> = {};
  for (const [name, id] of FORMAT_OPTIONS) {
    if (!options.has(name)) continue;
    if (!format.options.includes(id)) throw new UsageError(`The format ${format.id} has no option --${name}.`);
    chosen[id] = options.text(name) ?? options.flag(name) ?? '';
  }
  // The engine validates the values.
  return { ...DEFAULT_EXPORT_OPTIONS, ...chosen } as ExportOptions;
}

interface Target {
  readonly path: string;
  readonly target: string;
  readonly format: ExportFormatInfo;
}

/** @throws UsageError */
export function assertOutput({ options }: CommandSession, { path, target, format }: Target): void {
  if (target === '-' && options.flag('json'))
    throw new UsageError('--json and the rows would both go to standard output. Specify a file with -o.');
  if (target === '-' && format.isBinary && outIsTerminal())
    throw new UsageError(`${format.label} is not text, so it is not written to a terminal. Specify a file with -o.`);
  if (target !== '-' && existsSync(target) && existsSync(path) && realpathSync(target) === realpathSync(path))
    throw new UsageError('OUT is the database itself. Specify another file with -o.');
}
