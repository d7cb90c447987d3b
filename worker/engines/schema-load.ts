// Refuses files whose schema SQLite could not load within the time that their length lets one expect. SQLite loads it in one call, which
// prepares every definition and reads the statistics of ANALYZE. Nothing ends that call natively, nor where it prepares in wasm.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { fieldsOf, TreePages } from './tree-pages.ts';
import type { FileBytes } from './tree-pages.ts';

/** What a comparison of two names takes in native SQLite, in nanoseconds: of two columns, constraints, and objects; wasm takes two to four times as long. */
const [COLUMN_NS, UNIQUE_NS, OBJECT_NS] = [0.7, 13, 40];
/** SQLite's hash tables have no more chains than that. */
const CHAINS = 64;
const MOST_COLUMNS = 2000;
/** A list of fewer columns or constraints takes no time. */
const SHORT_LIST = 100;
const IS_STATISTICS = /^sqlite_stat/i;
const DEFINES_STATISTICS = /^create\s+table\b[^]*sqlite_stat/i;
const [COMMA, PARENTHESIS] = [0x2c, 0x28];

export interface LoadLimits {
  /** How long native SQLite may take. */
  readonly mostMs: number;
  /** With `writable_schema`, SQLite does not compare the name of a table with its definition. */
  readonly namesMayLie: boolean;
}

/**
 * Call before SQLite has loaded the schema, while nobody writes to the file.
 * @throws AppError `corrupt`, `invalid`
 */
export function assertLoads(file: FileBytes, { mostMs, namesMayLie }: LoadLimits): void {
  const pages = new TreePages(file);
  if (pages.header === null) return;
  const decoder = new TextDecoder(['utf-8', 'utf-8', 'utf-16le', 'utf-16be'][pages.header.getUint8(59) & 3]);
  const statistics: number[] = [];
  let [objects, ns] = [0, 0];
  for (const record of pages.payloads(1)) {
    const [, name, , root, sql] = fieldsOf(record);
    objects++;
    if (!(name instanceof Uint8Array)) continue;
    const text = sql instanceof Uint8Array ? sql : new Uint8Array();
    ns += comparingNs(text, decoder);
    const named = decoder.decode(name.subarray(0, 64));
    if (!IS_STATISTICS.test(named) && !(namesMayLie && DEFINES_STATISTICS.test(decoder.decode(text)))) continue;
    if (counted(text, PARENTHESIS) > 1) throw computed(named);
    statistics.push(root instanceof Uint8Array ? Number(decoder.decode(root)) : Number(root));
  }
  ns += (objects ** 2 / 2 / CHAINS) * OBJECT_NS;
  if (ns / 1e6 > mostMs) throw tooLarge();
  for (const root of statistics) for (const _ of pages.payloads(root));
}

/** SQLite compares each column of a table with all others, and each UNIQUE. */
function comparingNs(sql: Uint8Array, decoder: TextDecoder): number {
  const parts = sql.length < SHORT_LIST ? 0 : counted(sql, COMMA);
  if (parts < SHORT_LIST) return 0;
  const uniques = decoder.decode(sql).match(/unique/gi)?.length ?? 0;
  return (Math.min(parts, MOST_COLUMNS) ** 2 / 2) * COLUMN_NS + (uniques ** 2 / 2) * UNIQUE_NS;
}

function counted(bytes: Uint8Array, sought: number): number {
  let count = 0;
  for (const byte of bytes) if (byte === sought) count++;
  return count;
}

const computed = (name: string): AppError =>
  new AppError({
    code: 'invalid',
    ...inParts(
      `The columns of the table “${name}” in this file are computed, which SQLite itself never does, and reading them may take forever.`,
      'The file was not opened, and nothing was changed.',
    ),
  });

const tooLarge = (): AppError =>
  new AppError({
    code: 'invalid',
    ...inParts(
      'This file has so many tables, columns, or constraints that SQLite would take too long to load its schema.',
      'The file was not opened, and nothing was changed.',
    ),
  });
