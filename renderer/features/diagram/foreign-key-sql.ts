// A likely key as SQL: how it would be declared, and the rows that would break it.
import type { KeyColumns } from '#shared/protocol/index.ts';

export function foreignKeySql({ table, columns, target, targetColumns }: KeyColumns): string {
  const list = (names: readonly string[]): string => names.map(quoted).join(', ');
  const pairs = columns.map((column, at) => `p.${quoted(targetColumns[at]!)} = c.${quoted(column)}`);
  const whole = columns.map((column) => `c.${quoted(column)} IS NOT NULL`);
  return [
    '-- SQLite accepts a foreign key only in the CREATE TABLE statement of its table. The line would be:',
    `--   FOREIGN KEY (${oneLine(list(columns))}) REFERENCES ${oneLine(quoted(target))} (${oneLine(list(targetColumns))})`,
    '-- These rows would violate it:',
    'SELECT c.*',
    `FROM ${quoted(table)} AS c`,
    `WHERE ${whole.join(' AND ')}`,
    `  AND NOT EXISTS (SELECT 1 FROM ${quoted(target)} AS p WHERE ${pairs.join(' AND ')});`,
    '',
  ].join('\n');
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A comment ends with its line; anything after that would be run. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');
