// Names of tables as PostgreSQL qualifies them, made into names of one schema.
import { nameOf } from './rewriting.ts';
import { isSign } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

export const qualified = (schema: string, table: string): string =>
  schema === 'public' ? table : `${schema}_${table}`;
export const unqualified = (name: string): string => {
  const [first = '', second] = name.replaceAll('"', '').split('.');
  return second === undefined ? first : qualified(first, second);
};

/** Tables of the schema `public` keep their name, those of others begin with that of the schema. */
export function tableName(tokens: readonly SqlToken[], at: number): readonly [string, number] {
  if (isSign(tokens[at + 1], '.')) return [qualified(nameOf(tokens[at]), nameOf(tokens[at + 2])), at + 3];
  return [nameOf(tokens[at]), at + 1];
}
