// What a server says about its values, compared with what a dump of it became.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';

export interface ServerTable {
  /** Its name in SQLite. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: ServerType }[];
  /** Each value as the server writes it, in hexadecimal digits; null: NULL. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Rows are in the order of their first two columns as text, and not in that of the file. */
  readonly isSorted?: boolean;
}

/** `number`: SQLite may keep it as a number that has the same digits. */
export type ServerType = 'number' | 'float' | 'boolean' | 'bytes' | 'text';

/** Differences, as sentences. */
export function differences(
  connection: Connection,
  { name, columns, rows, isSorted = false }: ServerTable,
): readonly string[] {
  if (connection.one('SELECT 1 FROM sqlite_schema WHERE name = ?', [name]) === null) return [`There is no ${name}`];
  const list = columns.length === 0 ? 'NULL' : quoteNames(columns.map((column) => column.name));
  const order = isSorted ? columns.slice(0, 2).map((column) => `CAST(${quoteName(column.name)} AS TEXT)`) : ['rowid'];
  const stored = connection.all(`SELECT ${list} FROM ${quoteName(name)} ORDER BY ${order.join(', ')}`) as Value[][];
  const found = stored.length === rows.length ? [] : [`${name} has ${stored.length} rows instead of ${rows.length}`];
  rows.forEach((row, at) =>
    columns.forEach((column, place) => {
      const value = stored[at]?.[place];
      if (value !== undefined && !isSame(value, row[place]!, column.type))
        found.push(`${name}.${column.name}, row ${at}: ${shown(value)} instead of ${said(row[place]!)}`);
    }),
  );
  return found;
}

const said = (hex: string | null): string =>
  hex === null ? 'NULL' : JSON.stringify(Buffer.from(hex, 'hex').toString()).slice(0, 200);

const shown = (value: Value): string =>
  value instanceof Uint8Array
    ? `x'${Buffer.from(value).toString('hex').slice(0, 200)}'`
    : JSON.stringify(typeof value === 'bigint' ? String(value) : value).slice(0, 200);

function isSame(value: Value, hex: string | null, type: ServerType): boolean {
  if (value === null || hex === null) return value === null && hex === null;
  const bytes = Buffer.from(hex, 'hex');
  if (value instanceof Uint8Array) return type === 'bytes' && bytes.equals(value);
  const text = bytes.toString();
  if (typeof value === 'string') return type !== 'bytes' && type !== 'boolean' && value === text;
  if (type === 'boolean') return String(value) === { t: '1', f: '0' }[text];
  const real = typeof value === 'object' && 'real' in value ? value.real : value;
  if (type === 'float') return Object.is(Number(text), Number(real)) || Number(text) === Number(real);
  return type === 'number' && plainDigits(String(real)) === plainDigits(text);
}

/** Digits and exponent without what says nothing about the value. */
function plainDigits(text: string): string {
  const [, sign, whole = '', part = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  return bare === '' ? '0' : `${sign}${bare}e${Number(exponent) - part.length + digits.length - bare.length}`;
}
