// Dumps that MariaDB itself has made of every kind of column, in each form of mariadb-dump. The server says what each value is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandFolders, summaryOf } from '../../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../../build/bundled-command.test-suite.ts';
import type { DatabaseServer } from '../../../build/databases/database-server.ts';
import { startMariadb } from '../../../build/databases/start-mariadb.ts';
import { createRandom } from '#shared/random.ts';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { native } from '../../export/export-fixture.test-suite.ts';
import { opened, PLACES } from '../transfer-fixture.test-suite.ts';
import { mariadbDatabase } from './mariadb-database.test-suite.ts';
import { differences } from './stored-values.test-suite.ts';
import type { ServerTable, ServerType } from './stored-values.test-suite.ts';

const FORMS: readonly (readonly string[])[] = [
  [],
  ['--hex-blob'],
  ['--skip-extended-insert', '--skip-opt', '--create-options'],
  ['--compatible=ansi'],
  ['--compatible=postgresql'],
  ['--complete-insert', '--replace', '--routines', '--events'],
];

const started = await startMariadb();
const server = 'why' in started ? null : started;
let tables: readonly ServerTable[];
/** Made of the first dump that is read. */
let schema: readonly unknown[] | null = null;

beforeAll(async () => {
  if (server === null) return;
  await server.sql(mariadbDatabase(createRandom(seeds(1)[0]!)));
  tables = await tablesOf(server);
}, 120_000);
afterAll(() => server?.remove());

interface CatalogColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly declared: string;
}

async function tablesOf(from: DatabaseServer): Promise<readonly ServerTable[]> {
  const listed =
    await from.sql(`SELECT hex(json_object('table', c.table_name, 'name', column_name, 'type', data_type, 'declared', column_type))
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = database() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY table_name, ordinal_position;`);
  const columns = listed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(Buffer.from(line, 'hex').toString()) as CatalogColumn);
  const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
  const names = [...new Set(columns.map(({ table }) => table))];
  const ofTable = (table: string): readonly CatalogColumn[] => columns.filter((column) => column.table === table);
  const queries = names.map((table) => {
    const values = ofTable(table).map(({ name, type }) => `coalesce(hex(${hexed(quoted(name), type)}), '-')`);
    return `SELECT concat_ws('|', ${values.join(', ')}) FROM ${quoted(table)};\nSELECT '====';\n`;
  });
  const rows = (await from.sql(`SET SESSION time_zone = '+00:00';${queries.join('')}`)).split('====\n');
  return names.map((table, at) => ({
    name: table,
    columns: ofTable(table).map(({ name, type, declared }) => ({ name, type: typeOf(type, declared) })),
    rows: rows[at]!.split('\n')
      .slice(0, -1)
      .map((row) => row.split('|').map((value) => (value === '-' ? null : value))),
  }));
}

const BYTES =
  /^(?:(?:tiny|medium|long)?blob|(?:var)?binary|geometry|point|linestring|polygon|multi\w+|geometrycollection)$/;

function hexed(column: string, type: string): string {
  if (type === 'bit') return `CAST(${column} + 0 AS CHAR)`;
  return BYTES.test(type) ? column : `CONVERT(CAST(${column} AS CHAR) USING utf8mb4)`;
}

function typeOf(type: string, declared: string): ServerType {
  if (BYTES.test(type)) return 'bytes';
  if (/^(?:float|double)$/.test(type)) return 'float';
  return /^(?:\w*int|bit|year)$/.test(type) || declared.startsWith('decimal') ? 'number' : 'text';
}

describe.skipIf(server === null).each(PLACES)('dumps of MariaDB read by the %s engine', (_engine, place) => {
  test.each(FORMS.map((form) => [form.join(' ') || 'as it is', form] as const))('%s', async (_name, form) => {
    const { connection, contents } = await opened(place, await server!.dump(form));
    expect(contents.sql!.dialect).toBe('mysql');
    expect(tables.flatMap((table) => differences(connection, table))).toEqual(['There is no counted.up']);
    expect(connection.all('SELECT id, a, boss FROM plain_view ORDER BY id')).toEqual(VIEW);
    const made = connection.all(`SELECT name, replace(sql, '"', '') FROM sqlite_schema ORDER BY name`);
    // In this mode the server leaves AUTO_INCREMENT out.
    if (!form.includes('--compatible=postgresql')) expect(made).toEqual((schema ??= made));
    const isWhole = form.includes('--routines');
    expect(contents.sql!.statements.map(({ text }) => beginning(text)).sort()).toEqual(
      isWhole ? [...NOT_IN_SQLITE, ...ROUTINES].sort() : NOT_IN_SQLITE,
    );
  });
});

test.skipIf(server === null)('in another character set, bytes are bytes and texts are texts', async () => {
  const { connection, contents } = await opened(PLACES[0]![1], await server!.dump(['--default-character-set=latin1']));
  expect(contents.sql!.encoding).toBe('windows-1252');
  const inLatin1 = tables.filter(({ name }) => name === 'bytes' || name === 'old');
  expect(inLatin1.flatMap((table) => differences(connection, table))).toEqual([]);
});

describe.skipIf(server === null)('by the command line', () => {
  let at: CommandFolder;
  commandFolders((folder) => (at = folder));

  test('rows come into tables that were made of a dump without rows', async () => {
    writeFileSync(join(at.folder, 'tables.sql'), await server!.dump(['--no-data']));
    writeFileSync(join(at.folder, 'rows.sql'), await server!.dump(['--no-create-info', '--skip-triggers']));
    const made = await at.run(['import', 'tables.sql', '--into', 'all.db', '--json']);
    expect(summaryOf(made)).toMatchObject({ files: [{ notUnderstood: NOT_IN_SQLITE.length }] });
    const filled = await at.run(['import', 'rows.sql', '--into', 'all.db', '--json']);
    expect(summaryOf(filled)).toMatchObject({ files: [{ notUnderstood: 0 }] });
    // Integers of more than 64 bits are no numbers of SQLite: their rows are not added, and named.
    const { files } = summaryOf(filled) as { readonly files: readonly [{ readonly kept: readonly Kept[] }] };
    const refused = tables.flatMap(({ name, rows }) =>
      rows.flatMap((row, index) => (row.some(isBeyond) ? [`${name} ${index + 1}`] : [])),
    );
    expect(files[0].kept.map(({ table, row }) => `${table} ${row}`)).toEqual(refused);
    const connection = native.open(join(at.folder, 'all.db'), { durability: 'balanced' });
    const added = tables.map((table) => ({ ...table, rows: table.rows.filter((row) => !row.some(isBeyond)) }));
    expect(added.flatMap((table) => differences(connection, table))).toEqual(['There is no counted.up']);
    connection.close();
  });
});

interface Kept {
  readonly table: string;
  readonly row: number;
}

const isBeyond = (hex: string | null): boolean =>
  /^(?:9223372036854775808|18446744073709551\d+)$/.test(Buffer.from(hex ?? '', 'hex').toString());

const beginning = (text: string): string =>
  text
    .replace(/\/\*!\d+|\*\/|DEFINER=\S+|["`]/g, '')
    .replace(/\s+/g, ' ')
    .split(' ')
    .slice(0, 3)
    .join(' ');
/** Letters beyond ASCII keep their case in SQLite. */
const VIEW = [
  [42, 'ONE', null],
  [43, 'TWO', null],
  [45, 'é', null],
];
const NOT_IN_SQLITE = [' CREATE TRIGGER', 'CREATE SEQUENCE alone', 'DO SETVAL(alone, 5,', 'up varchar (20)'];
const ROUTINES = [' CREATE EVENT', 'CREATE FUNCTION f()', 'CREATE PROCEDURE p()'];
