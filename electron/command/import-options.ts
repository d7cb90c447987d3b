// Options of `sidelite import`: how files are read, and where their rows go.
import type { Existing, TargetChoice } from '#shared/import/target-choice.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { ImportOptions } from '#shared/protocol/import.ts';
import { UsageError } from './parse.ts';
import type { Options } from './parse.ts';

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
    ...(options.has('skip-lines') && { skipLines: options.count('skip-lines', 0) }),
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
