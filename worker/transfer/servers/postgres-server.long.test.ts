// Dumps that PostgreSQL itself has made of every kind of column, in each form of pg_dump. The server says what each value is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandFolders, summaryOf } from '../../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../../build/bundled-command.test-suite.ts';
import { startPostgres } from '../../../build/databases/start-postgres.ts';
import type { DatabaseServer } from '../../../build/databases/database-server.ts';
import { createRandom } from '#shared/random.ts';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { native } from '../../export/export-fixture.test-suite.ts';
import { opened, PLACES } from '../transfer-fixture.test-suite.ts';
import { postgresDatabase } from './postgres-database.test-suite.ts';
import { differences } from './stored-values.test-suite.ts';
import type { ServerTable, ServerType } from './stored-values.test-suite.ts';

const FORMS: readonly (readonly string[])[] = [
  [],
  ['--inserts'],
  ['--column-inserts', '--rows-per-insert=7', '--quote-all-identifiers'],
];

const started = await startPostgres();
const server = 'why' in started ? null : started;
/** Tables that SQLite can hold: `nothing` has no columns. */
let kept: readonly ServerTable[];
/** Made of the first dump that is read. */
let schema: readonly unknown[] | null = null;

beforeAll(async () => {
  if (server === null) return;
  await server.sql(postgresDatabase(createRandom(seeds(1)[0]!)));
  kept = (await tablesOf(server)).filter(({ columns }) => columns.length > 0);
}, 120_000);
afterAll(() => server?.remove());

/** Rows of a table with parts belong to it here. Columns of tables that inherit are in each of them. */
const CATALOG = `
SELECT json_agg(json_build_object('schema', n.nspname, 'name', c.relname, 'isWhole', c.relkind = 'p', 'columns',
  (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(coalesce(nullif(t.typbasetype, 0), a.atttypid),
     CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END)) ORDER BY a.attnum), '[]') FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)) ORDER BY c.oid)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname IN ('public', 'Odd schema');`;

interface CatalogTable {
  readonly schema: string;
  readonly name: string;
  readonly isWhole: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

async function tablesOf(from: DatabaseServer): Promise<readonly ServerTable[]> {
  const catalog = JSON.parse(await from.sql(CATALOG)) as readonly CatalogTable[];
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const queries = catalog.map(({ schema, name, isWhole, columns }) => {
    const values = columns.map((column) => {
      const hex =
        column.type === 'bytea'
          ? `encode(${quoted(column.name)}, 'hex')`
          : `encode(convert_to(format('%s', ${quoted(column.name)}), 'UTF8'), 'hex')`;
      return `CASE WHEN ${quoted(column.name)}::text IS NULL THEN NULL ELSE ${hex} END`;
    });
    return `SELECT coalesce(json_agg(json_build_array(${values.join(', ')})), '[]') FROM ${isWhole ? '' : 'ONLY '}${quoted(schema)}.${quoted(name)};\n`;
  });
  const rows = (await from.sql(queries.map((query) => `${query}\\echo ====\n`).join(''))).split('\n====\n');
  return catalog.map(({ schema, name, columns }, at) => ({
    name: schema === 'public' ? name : `${schema}_${name}`,
    columns: columns.map((column) => ({ name: column.name, type: typeOf(column.type) })),
    rows: JSON.parse(rows[at]!) as ServerTable['rows'],
  }));
}

function typeOf(declared: string): ServerType {
  if (declared === 'bytea' || declared === 'boolean') return declared === 'bytea' ? 'bytes' : 'boolean';
  if (/^(?:real|double precision)$/.test(declared)) return 'float';
  return /^(?:smallint|integer|positive|bigint|oid|numeric\([^)]*\))$/.test(declared) ? 'number' : 'text';
}

describe.skipIf(server === null).each(PLACES)('dumps of PostgreSQL read by the %s engine', (_engine, place) => {
  test.each(FORMS.map((form) => [form.join(' ') || 'COPY', form] as const))('%s', async (_name, form) => {
    const { connection, contents } = await opened(place, await server!.dump(form));
    expect(contents.sql!.dialect).toBe('postgresql');
    expect(kept.flatMap((table) => differences(connection, table))).toEqual([]);
    const view = await server!.sql('SELECT json_agg(json_build_array(id, a, boss) ORDER BY id) FROM plain_view;');
    expect(connection.all('SELECT id, a, boss FROM plain_view ORDER BY id')).toEqual(JSON.parse(view));
    const made = connection.all(`SELECT name, replace(sql, '"', '') FROM sqlite_schema ORDER BY name`);
    expect(made).toEqual((schema ??= made));
    expect(contents.sql!.statements.map(({ text }) => beginning(text)).sort()).toEqual(
      form.length === 0 ? ['COPY public.nothing FROM stdin', ...NOT_IN_SQLITE] : NOT_IN_SQLITE,
    );
  });
});

describe.skipIf(server === null)('by the command line', () => {
  let at: CommandFolder;
  commandFolders((folder) => (at = folder));

  test('rows come into tables that were made of a dump without rows', async () => {
    writeFileSync(join(at.folder, 'tables.sql'), await server!.dump(['--schema-only']));
    writeFileSync(join(at.folder, 'rows.sql'), await server!.dump(['--data-only', '--load-via-partition-root']));
    const made = await at.run(['import', 'tables.sql', '--into', 'all.db', '--json']);
    expect(summaryOf(made)).toMatchObject({ files: [{ notUnderstood: NOT_IN_SQLITE.length - 1 }] });
    const filled = await at.run(['import', 'rows.sql', '--into', 'all.db', '--json']);
    expect(summaryOf(filled)).toMatchObject({ files: [{ notUnderstood: 1, problems: 0 }] });
    const connection = native.open(join(at.folder, 'all.db'), { durability: 'balanced' });
    expect(kept.flatMap((table) => differences(connection, table))).toEqual([]);
    connection.close();
  });
});

const beginning = (text: string): string =>
  text.replaceAll('"', '').replace(/\s+/g, ' ').split(' ').slice(0, 4).join(' ');
const NOT_IN_SQLITE = [
  'CREATE DOMAIN public.amount AS',
  'CREATE DOMAIN public.code AS',
  'CREATE DOMAIN public.positive AS',
  'CREATE DOMAIN public.positive_again AS',
  'CREATE FUNCTION public.f() RETURNS',
  'CREATE INDEX texts_gin ON',
  'CREATE MATERIALIZED VIEW public.kept',
  'CREATE POLICY p ON',
  'CREATE RULE r AS',
  'CREATE TABLE public.nothing (',
  'CREATE TRIGGER changes BEFORE',
  'CREATE TYPE public.address AS',
  'CREATE TYPE public.mood AS',
  'REFRESH MATERIALIZED VIEW public.kept',
];
