// Foreign keys of an import. Usually each record is checked by itself, so that the one at fault is known. When rows of the table may refer
// to each other, or all are replaced, everything is checked together before the commit.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import type { ImportTarget } from '#shared/protocol/import.ts';

interface Into {
  readonly table: string;
  readonly target: ImportTarget;
}

/** Rows named in the message. */
const SHOWN = 5;

export function defersKeys(connection: Connection, { table, target }: Into): boolean {
  if (target.kind === 'new-table' || connection.one('PRAGMA foreign_keys')?.[0] !== 1) return false;
  if (target.mode === 'replace') return true;
  return (
    connection.one(`SELECT 1 FROM temp.pragma_foreign_key_list(?1) WHERE "table" = ?1 COLLATE NOCASE`, [table]) !== null
  );
}

/** Effects of replacing all rows on the rows that refer to them, in sentences for the user. */
export function consequencesOfReplacing(connection: Connection, table: string): readonly string[] {
  if (connection.one('PRAGMA foreign_keys')?.[0] !== 1) return [];
  const references = connection.all(
    `SELECT DISTINCT m.name, f.on_delete FROM main.sqlite_schema m, temp.pragma_foreign_key_list(m.name) f
     WHERE m.type = 'table' AND m.name <> ?1 AND f."table" = ?1 COLLATE NOCASE AND f.on_delete IN ('CASCADE', 'SET NULL', 'SET DEFAULT')`,
    [table],
  );
  return references.map(([child, action]) =>
    action === 'CASCADE'
      ? `Replacing all rows also deletes the rows of “${String(child)}” that refer to them (ON DELETE CASCADE).`
      : `Replacing all rows also changes the rows of “${String(child)}” that refer to them (ON DELETE ${String(action)}).`,
  );
}

/** Finds the rows because of which foreign keys made a COMMIT fail. Null when they cannot be named. */
export function brokenKeys(connection: Connection, { table }: Pick<Into, 'table'>): AppError | null {
  const children = connection.all(
    `SELECT DISTINCT m.name FROM main.sqlite_schema m, temp.pragma_foreign_key_list(m.name) f
     WHERE m.type = 'table' AND (m.name = ?1 OR f."table" = ?1 COLLATE NOCASE)`,
    [table],
  );
  const broken = children.flatMap(([child]) => brokenRows(connection, String(child)));
  if (broken.length === 0) return null;
  const shown = broken.slice(0, SHOWN).join(', ');
  const more = broken.length > SHOWN ? ', …' : '';
  return AppError.constraint(
    `After the import rows would refer to rows that do not exist: ${shown}${more}. Nothing was changed.`,
    { detail: { kind: 'foreign-key', rows: broken.length } },
  );
}

/** The first few rows of a table whose keys lead nowhere, each as “orders.customer = 17 (not in customers)”. */
export function brokenRows(connection: Connection, child: string): readonly string[] {
  const rows = connection.all(
    `SELECT c.rowid, c.parent, f."from" FROM temp.pragma_foreign_key_check(?1) c JOIN temp.pragma_foreign_key_list(?1) f ON f.id = c.fkid AND f.seq = 0 LIMIT ${SHOWN + 1}`,
    [child],
  );
  return rows.map(([rowid, parent, from]) => {
    const value =
      rowid === null
        ? null
        : connection.one(`SELECT quote(${quoteName(String(from))}) FROM main.${quoteName(child)} WHERE rowid = ?`, [
            rowid!,
          ]);
    const equals = value ? ` = ${String(value[0])}` : '';
    return `${child}.${String(from)}${equals} (not in ${String(parent)})`;
  });
}
