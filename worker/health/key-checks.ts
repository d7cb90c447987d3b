// Foreign keys that lead nowhere, by table and key, as SQLite itself finds them.
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Mend } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { Findings } from './findings.ts';
import { readForeignKeys, type DeclaredKey } from './structure.ts';
import type { Scan } from '../readers/scan.ts';

export function* checkKeys(scan: Scan): Generator<Pause, Findings> {
  const findings = new Findings();
  const keys = yield* readForeignKeys(scan);
  let done = 0;
  for (const [table, declared] of keys) {
    scan.tell({ phase: `Checking the foreign keys of ${table}`, done: done++, total: keys.size, unit: 'steps' });
    const broken = new Map<number, number>();
    try {
      yield* scan.rows("SELECT fkid FROM temp.pragma_foreign_key_check(?, 'main')", [table], (row) => {
        const id = Number(row.value(0));
        broken.set(id, (broken.get(id) ?? 0) + 1);
      });
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'stopped') throw error;
      // SQLite's “foreign key mismatch”: the parent has no such columns, or they are not unique there.
      findings.add({ kind: 'key-mismatch', table, message: whatHappened(known) });
      continue;
    }
    for (const key of declared) {
      const rows = broken.get(key.id) ?? 0;
      if (rows === 0) continue;
      const where = conditionOf(scan.connection, table, key);
      const columns = key.columns.map(({ from }) => from);
      findings.add(
        { kind: 'broken-key', table, columns, parent: key.parent, rows },
        where,
        where === null ? [] : mendsOf(scan.connection, { table, columns, where }),
      );
    }
  }
  return findings;
}

/** True for rows whose key leads nowhere; null where the parent cannot be determined. */
function conditionOf(connection: Connection, table: string, { parent, columns }: DeclaredKey): string | null {
  const primary = connection
    .all("SELECT name FROM temp.pragma_table_info(?, 'main') WHERE pk > 0 ORDER BY pk", [parent])
    .map(([name]) => name as string);
  const targets = columns.map(({ to }, at) => to ?? primary[at] ?? null);
  const own = columns.map(({ from }) => `main.${quoteName(table)}.${quoteName(from)}`);
  const isSet = own.map((column) => `${column} IS NOT NULL`);
  // A missing parent has no rows.
  if (primary.length === 0 && connection.one("SELECT 1 FROM temp.pragma_table_info(?, 'main')", [parent]) === null)
    return isSet.join(' AND ');
  if (targets.includes(null)) return null;
  // The parent may be the table itself, and its columns come first so that their affinity and collation count (foreignkeys.html).
  const same = targets.map((target, at) => `parent.${quoteName(target!)} = ${own[at]}`);
  return `${isSet.join(' AND ')} AND NOT EXISTS (SELECT 1 FROM main.${quoteName(parent)} AS parent WHERE ${same.join(' AND ')})`;
}

interface BrokenRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly where: string;
}

function mendsOf(connection: Connection, { table, columns, where }: BrokenRows): readonly Mend[] {
  const free = connection.all(
    `SELECT lower(name) FROM temp.pragma_table_xinfo(?, 'main') WHERE "notnull" = 0 AND pk = 0 AND hidden = 0`,
    [table],
  );
  const canBeNull = new Set(free.map(([name]) => name as string));
  const setNull = columns.find((column) => canBeNull.has(column.toLowerCase()));
  return [
    ...(setNull === undefined
      ? []
      : [
          {
            does: 'set-null' as const,
            sql: `UPDATE main.${quoteName(table)} SET ${quoteName(setNull)} = NULL WHERE ${where}`,
          },
        ]),
    { does: 'delete-rows' as const, sql: `DELETE FROM main.${quoteName(table)} WHERE ${where}` },
  ];
}
