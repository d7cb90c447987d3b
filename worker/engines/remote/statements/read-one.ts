// Reads a text that must be one statement, and the values of its parameters.
import { skipToStatement } from '#shared/sql-scanner.ts';
import type { BoundSql } from '../../guarded-write.ts';
import { readStatement } from '../../native/statements/statement-shape.ts';
import type { StatementShape } from '../../native/statements/statement-shape.ts';
import { noStatementError, nulCharacterError, secondStatementError } from '../../sql-text-error.ts';
import type { RemoteSql } from '../hrana/messages.ts';
import { bindText } from './remote-text.ts';

/** @throws AppError `sql` for none, or several */
export function readOne(sql: string): StatementShape {
  const nul = sql.indexOf('\0');
  if (nul >= 0) throw nulCharacterError(nul);
  const shape = readStatement(sql);
  if (shape === null) throw noStatementError(sql.length);
  const rest = skipToStatement(sql, shape.to);
  if (rest < sql.length) throw secondStatementError(rest);
  return shape;
}

export function bind({ sql, params }: BoundSql): RemoteSql {
  const shape = readOne(sql);
  return bindText(sql.slice(shape.from, shape.to), shape, params);
}
