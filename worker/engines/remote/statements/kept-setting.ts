// Settings of a connection that a server would forget before the next statement, so that nobody relies on them.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { RemoteStatement } from './remote-statement.ts';

const ON = /[=(]\s*['"]?(?:on|yes|true|1)['"]?\s*(?:\)\s*)?;?$/i;

/**
 * Outside of a transaction each statement has a connection of its own on the server, where foreign keys are on; inside one SQLite does not
 * turn them off (sqlite.org/pragma.html#pragma_foreign_keys). A script that believes they are off may delete rows by dropping a table.
 * @throws AppError `unavailable`
 */
export function assertSettingHolds({ sql, shape }: RemoteStatement, isInTransaction: boolean): void {
  if (shape.verb !== 'pragma' || !shape.hasValue) return;
  const [name, isOn] = [shape.target?.name.toLowerCase(), ON.test(sql.trim())];
  if (name === 'foreign_keys' && !isOn) throw wouldBeForgotten('Foreign keys cannot be turned off on a server');
  if (name === 'defer_foreign_keys' && isOn && !isInTransaction)
    throw wouldBeForgotten('Foreign keys can only be deferred inside a transaction');
}

const wouldBeForgotten = (what: string): AppError =>
  new AppError({
    code: 'unavailable',
    ...inParts(
      `${what}: each statement outside of a transaction has a connection of its own there, so the setting would be gone before the next one. If rows are to refer to rows that come later, run PRAGMA defer_foreign_keys = ON after BEGIN.`,
      'Nothing was changed.',
    ),
  });
