// Stores a value in the current cell at once, like an edit in the grid.
import { toAppError, type Value } from '#shared/protocol/index.ts';
import type { Detail } from '../../../state/slices/detail.ts';
import { saveChanges } from '../../../workbench/held/held-store.ts';

/** @param seen missing if it was too long to be read. Returns a sentence why it was not stored, or null. */
export async function storeValue(
  { database, source, editing }: Detail,
  seen: Value | undefined,
  value: Value,
): Promise<string | null> {
  if (source.kind !== 'cell' || typeof editing === 'string') return null;
  const { table, key, column } = source.cell;
  const base = seen === undefined ? {} : { [column]: seen };
  try {
    const { isHeld } = await saveChanges(database, table, [{ kind: 'update', key, set: { [column]: value }, base }]);
    if (seen !== undefined && !isHeld) editing.stored(seen, value);
    return null;
  } catch (thrown) {
    return toAppError(thrown).message;
  }
}
