// Everything a database holds, as text: two are the same exactly when their dumps are.
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { quoteName } from '../../sql/quote.ts';
import type { Connection } from '../engine.ts';

/** Schema in the order of its row ids, then all rows of all tables of `main` with their row ids and exact storage classes. */
export function dumpDatabase(connection: Connection): string {
  const lines = connection
    .all('SELECT rowid, type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY rowid')
    .map(inOneLine);
  const tables = connection.all(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name <> 'sqlite_schema' ORDER BY name",
  );
  for (const [name, withoutRowid] of tables) {
    lines.push(`-- ${String(name)}`);
    const rowid = withoutRowid === 1 ? '' : rowidOf(connection, String(name));
    const rows = connection.all(`SELECT ${rowid}* FROM main.${quoteName(String(name))}`).map(inOneLine);
    lines.push(...rows.toSorted());
  }
  return lines.join('\n');
}

function rowidOf(connection: Connection, table: string): string {
  const columns = connection.all('SELECT lower(name) FROM pragma_table_xinfo(?)', [table]).flat();
  const name = ['rowid', '_rowid_', 'oid'].find((candidate) => !columns.includes(candidate));
  return name === undefined ? '' : `${name}, `;
}

function inOneLine(row: readonly Value[]): string {
  return row.map(asText).join(' | ');
}

function asText(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'bigint') return `integer ${value}`;
  if (typeof value === 'string') return `text ${JSON.stringify(value)}`;
  if (typeof value === 'number') return `${Number.isSafeInteger(value) ? 'integer' : 'real'} ${value}`;
  if (isReal(value)) return `real ${Object.is(value.real, -0) ? '-0' : value.real}`;
  if (isRawText(value)) return `text bytes ${hexOf(value.textBytes)}`;
  return `blob ${hexOf(value)}`;
}

/** Takes a twentieth of the time of `join()`, and most of a dump are bytes. */
const hexOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('hex');
