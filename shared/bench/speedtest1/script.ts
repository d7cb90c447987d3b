// speedtest1 as SQL text: the statements of its tests with their values written out.
import { speedtest1Blocks } from './blocks.ts';
import type { Speedtest1Step } from './blocks.ts';

/** All tests of `main` one after the other, as the user would paste them. */
export function speedtest1Script(size: number): string {
  return `${speedtest1Blocks(size)
    .flatMap(({ steps }) => steps.flatMap(literalStatements))
    .join(';\n')};\n`;
}

/** A statement for each of its rows of values. */
export function literalStatements({ sql, rows }: Speedtest1Step): readonly string[] {
  if (!rows) return [sql];
  const literal = (value: number | string): string => (typeof value === 'number' ? String(value) : `'${value}'`);
  return [...rows()].map((values) => {
    const rest = values.values();
    return sql.replaceAll('?', () => literal(rest.next().value!));
  });
}
