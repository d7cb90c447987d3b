// What is left in a cell that was cut.
import type { Column } from '#shared/protocol/schema.ts';

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const TEXT = /^'(?:[^']|'')*'$/;

/**
 * NULL where the column can be NULL; otherwise the text of its default, if that is a number or a text. Undefined where there is neither: an
 * expression would have to be computed, and a key names the row.
 */
export function emptiedValue({ notNull, defaultSql, primaryKeyIndex }: Column): string | null | undefined {
  if (primaryKeyIndex > 0) return undefined;
  if (!notNull) return null;
  const literal = defaultSql?.trim() ?? '';
  if (NUMBER.test(literal)) return literal;
  return TEXT.test(literal) ? literal.slice(1, -1).replaceAll("''", "'") : undefined;
}
