// The column by which rows of a table without a key are probably told apart, as its name says.
import { foldName } from '#shared/ddl/names.ts';

/** Empty if no name says so: `order_id` is the key of “orders”, but `city_id` is not. */
export function likelyKey(table: string, columns: readonly string[]): readonly string[] {
  const plain = (name: string): string => foldName(name).replaceAll(/[_\s-]/g, '');
  const own = plain(table);
  const names = ['id', `${own}id`, `${own.replace(/s$/, '')}id`, 'uuid', 'guid'];
  for (const name of names) {
    const found = columns.find((column) => plain(column) === name);
    if (found !== undefined) return [found];
  }
  return [];
}
