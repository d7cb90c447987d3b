// Finds the columns of a table by which people recognize its rows.
import type { Column } from './protocol/schema.ts';

const MAX_READABLE = 3;
const TELLING_NAME = /name|title|label|subject|e-?mail|code|sku|slug|caption|summary|descr/i;
/** Where something is says little about what it is. */
const POSTAL_CODE = /zip|post(?:al)?[_ ]?code/i;
const TEXT_TYPE = /CHAR|CLOB|TEXT/i;
const BLOB_TYPE = /BLOB/i;

type Described = Pick<Column, 'name' | 'declaredType' | 'references'>;

/**
 * Returns at most three, in the table's order: text columns with telling names, or else any text columns, or else any others that hold
 * neither blobs nor foreign keys.
 *
 * @param left columns that are shown anyway, such as the key
 */
export function readableColumns<T extends Described>(columns: readonly T[], left: readonly string[]): readonly T[] {
  const taken = new Set(left.map((name) => name.toLowerCase()));
  const own = columns.filter(
    ({ name, declaredType, references }) =>
      references === null && !taken.has(name.toLowerCase()) && !BLOB_TYPE.test(declaredType),
  );
  const texts = own.filter(({ declaredType }) => TEXT_TYPE.test(declaredType));
  const telling = texts.filter(({ name }) => TELLING_NAME.test(name) && !POSTAL_CODE.test(name));
  const best = [telling, texts, own].find((some) => some.length > 0) ?? [];
  return best.slice(0, MAX_READABLE);
}
