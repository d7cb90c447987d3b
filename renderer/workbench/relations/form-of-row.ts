// Opens the form of a row that is known by some of its values, such as those of a foreign key.
import { toAppError } from '#shared/protocol/errors.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { DatabaseId, FilterTerm } from '#shared/protocol/index.ts';
import { notify } from '../../state/store.ts';
import { ALL_ROWS, openForm } from '../tabs/form.ts';
import { TableSource } from '../rows/table-source.ts';

/** Opens the first row that the terms select, among all rows of its table. Tells the user if there is none. */
export async function openFormOf(database: DatabaseId, table: string, terms: readonly FilterTerm[]): Promise<void> {
  try {
    const source = await TableSource.open(database, table, { ...ALL_ROWS, filter: terms });
    try {
      const { rows } = await source.read(0, 1);
      const key = rows.rowCount > 0 ? source.keyOf(new PackedRowsReader(rows), 0) : null;
      if (key) openForm(database, source.detail.name, { key });
      else notify({ tone: 'info', text: 'This row does not exist.' });
    } finally {
      source.close();
    }
  } catch (thrown) {
    notify({ tone: 'error', text: toAppError(thrown).message });
  }
}
