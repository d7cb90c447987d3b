// The declared foreign keys of all tables.
import type { Pause } from '../sessions/session.ts';
import type { Scan } from '../readers/scan.ts';

export interface DeclaredKey {
  /** Number that `foreign_key_check` reports. */
  readonly id: number;
  readonly parent: string;
  /** `to` is null where the key names no columns: it leads to the primary key. */
  readonly columns: readonly { readonly from: string; readonly to: string | null }[];
}

const KEYS = `SELECT m.name, f.id, f."table", f."from", f."to" FROM main.sqlite_schema m JOIN temp.pragma_foreign_key_list(m.name, 'main') f
  WHERE m.type = 'table' ORDER BY m.rowid, f.id, f.seq`;

export function* readForeignKeys(scan: Scan): Generator<Pause, ReadonlyMap<string, readonly DeclaredKey[]>> {
  const found = new Map<string, (DeclaredKey & { readonly columns: { from: string; to: string | null }[] })[]>();
  yield* scan.rows(KEYS, [], (row) => {
    const [table, id, parent, from, to] = [0, 1, 2, 3, 4].map((at) => row.value(at));
    const keys = found.get(table as string) ?? [];
    found.set(table as string, keys);
    let key = keys.find((known) => known.id === Number(id));
    if (!key) keys.push((key = { id: Number(id), parent: parent as string, columns: [] }));
    key.columns.push({ from: from as string, to: to as string | null });
  });
  return found;
}
