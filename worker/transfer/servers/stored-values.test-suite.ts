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
}

/** `number`: SQLite may keep it as a number that has the same digits. */
export type ServerType = 'number' | 'float' | 'boolean' | 'bytes' | 'text';

/** Differences, as sentences. */
export function differences(connection: Connection, { name, columns, rows: said }: ServerTable): readonly string[] {
  const made = connection.all('SELECT name FROM pragma_table_xinfo(?)', [name]).map(([column]) => column);
  if (made.length === 0) return [`There is no ${name}`];
  const found = columns
    .filter((column) => !made.includes(column.name))
    .map((column) => `There is no ${name}.${column.name}`);
  const places = columns.flatMap((column, place) => (made.includes(column.name) ? [place] : []));
  const list = quoteNames(places.map((place) => columns[place]!.name));
  const key = (row: readonly (Value | undefined)[]): string =>
    row
      .slice(0, 2)
      .map((value) => hexOf(value))
      .join();
  const stored = sorted(connection.all(`SELECT ${list} FROM ${quoteName(name)}`) as Value[][], key);
  const rows = sorted(said, (row) => row.slice(0, 2).join().toUpperCase());
  if (stored.length !== rows.length) found.push(`${name} has ${stored.length} rows instead of ${rows.length}`);
  stored.slice(0, rows.length).forEach((row, at) =>
    places.forEach((place, index) => {
      const [{ name: column, type }, expected] = [columns[place]!, rows[at]![place]!];
      if (!isSame(row[index]!, expected, type))
        found.push(`${name}.${column}, row ${at}: ${shown(row[index]!)} instead of ${text(expected)}`);
    }),
  );
  return found;
}

function sorted<T>(rows: readonly T[], key: (row: T) => string): readonly T[] {
  const keys = new Map(rows.map((row) => [row, key(row)]));
  return [...rows].sort((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1));
}

const hexOf = (value: Value | undefined): string =>
  value === null || value === undefined ? '' : Buffer.from(String(value)).toString('hex').toUpperCase();

const text = (hex: string | null): string =>
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
