// Rows of 12 columns from a seed, as CSV, as NDJSON and as SQL: what imports read and exports write.
import type { ImportOptions } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';

const WORDS = ['alpha', 'beta', 'delta', 'river', 'stone', 'quick', 'brown', 'müller', 'order', 'invoice', 'light'];
export const TYPES = {
  id: 'INTEGER',
  created: 'TEXT',
  customer: 'TEXT',
  email: 'TEXT',
  city: 'TEXT',
  quantity: 'INTEGER',
  price: 'NUMERIC',
  total: 'REAL',
  code: 'TEXT',
  active: 'TEXT',
  note: 'TEXT',
  ref: 'INTEGER',
} as const;
export const COLUMNS = Object.keys(TYPES) as readonly (keyof typeof TYPES)[];

export type MadeRow = readonly (string | number | boolean)[];

export function* madeRows(count: number, seed: number): Generator<MadeRow> {
  const random = createRandom(seed);
  const word = (): string => random.pick(WORDS);
  for (let id = 1; id <= count; id++) {
    const quantity = random.between(1, 99);
    const price = random.between(100, 99_999) / 100;
    const created = new Date(1.6e12 + random.between(0, 1e8) * 1000).toISOString();
    yield [
      id,
      `${created.slice(0, 10)} ${created.slice(11, 19)}`,
      `${word()} ${word()}`,
      `${word()}${random.between(0, 9999)}@example.com`,
      word(),
      quantity,
      price,
      quantity + 0.5,
      `0${random.between(10_000, 99_999)}`,
      random.chance(0.5),
      random.chance(0.2) ? `${word()}, "${word()}"` : `${word()} ${word()} ${word()}`,
      random.between(0, 1_000_000),
    ];
  }
}

export function madeCsv(count: number, seed: number): string {
  const lines = [COLUMNS.join(',')];
  for (const row of madeRows(count, seed))
    lines.push(
      row.map((value) => (/[",]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value)).join(','),
    );
  return `${lines.join('\n')}\n`;
}

export function madeNdjson(count: number, seed: number): string {
  const lines: string[] = [];
  for (const row of madeRows(count, seed))
    lines.push(JSON.stringify(Object.fromEntries(COLUMNS.map((name, at) => [name, row[at]]))));
  return `${lines.join('\n')}\n`;
}

export const optionsOf = (format: 'csv' | 'ndjson'): ImportOptions => ({
  format,
  encoding: 'utf-8',
  delimiter: format === 'csv' ? ',' : '',
  quote: format === 'csv' ? '"' : '',
  escape: '',
  skipsBlanks: false,
  hasHeader: format === 'csv',
  skipLines: 0,
  comment: '',
  decimalComma: false,
  nullTokens: [],
  part: null,
});

export const createSql = (table: string): string =>
  `CREATE TABLE ${table} (${COLUMNS.map((name) => `${name} ${TYPES[name]}`).join(', ')})`;

/** Any error in a row shows in one of these. */
export const sumsSql = (table: string): string =>
  `SELECT count(*), sum(id), sum(quantity), round(sum(price), 2), sum(total), sum(ref), ${COLUMNS.map((name) => `count(DISTINCT typeof(${name})) || max(typeof(${name}))`).join(', ')}, sum(length(created) + length(customer) + length(email) + length(city) + length(code) + length(note)) FROM ${table}`;
