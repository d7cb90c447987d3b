// The schema as far as it is known here: a copy that is made again when the server's version of the schema differs.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { DatabaseConstructor } from '../../native/runtime/load.ts';
import type { StatementShape } from '../../native/statements/statement-shape.ts';
import type { Description } from '../hrana/messages.ts';
import { decodeValue } from '../hrana/values.ts';
import { malformed } from '../hrana/malformed.ts';
import { describeServerError } from '../runtime/server-error.ts';
import type { ServerSession } from '../session/server-session.ts';
import { rowsInMemory } from '../statements/remote-rows.ts';
import type { Ran, RemoteStatement } from '../statements/remote-statement.ts';
import { SchemaCopy, type SchemaRow, type Understood } from './schema-copy.ts';

export class RemoteSchema {
  readonly #Database: DatabaseConstructor;
  readonly #session: ServerSession;
  #copy: SchemaCopy | null = null;
  #version = -1;
  /** The transaction in which the copy was made; null if in none. */
  #madeIn: number | null = null;

  constructor(constructor: DatabaseConstructor, session: ServerSession) {
    this.#Database = constructor;
    this.#session = session;
  }

  /** A copy of the newest known version of the schema. */
  get copy(): SchemaCopy {
    // After a rollback, the schema version of the transaction can be the same as that of a later change by someone else.
    const isOfThis = this.#madeIn === null || this.#madeIn === this.#session.transaction;
    if (this.#copy !== null && isOfThis && this.#version === this.#session.schemaVersion) return this.#copy;
    const { rows } = this.#session.run({ sql: this.#session.schemaQuery, args: [], wantRows: true }, 'read');
    this.#copy?.close();
    this.#copy = new SchemaCopy(this.#Database, rows.map(toSchemaRow));
    this.#version = this.#session.schemaVersion;
    this.#madeIn = this.#session.transaction;
    return this.#copy;
  }

  /** @throws AppError `sql` with the offset of the error, counted from the beginning of `sql` */
  understand(sql: string, shape: StatementShape, use: 'run' | 'check'): Understood {
    try {
      if (use === 'check') this.copy.check(sql, shape);
      return use === 'check' ? { columns: [], readonly: true } : this.copy.understand(sql, shape);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'sql') throw error;
      return this.#askServer(sql, shape, error);
    }
  }

  /** Sidelite's own queries that are only about the schema are answered here. */
  answer({ sql, shape, isOfScript }: RemoteStatement, params: readonly Value[]): Ran | null {
    if (isOfScript) return null;
    const rows = this.copy.answer(sql, shape, params);
    return rows && { rows: rowsInMemory(rows), changes: 0, rowsRead: 0 };
  }

  close(): void {
    this.#copy?.close();
    this.#copy = null;
  }

  /** The server may understand more: functions of its own, its own syntax, a table that someone else has just created. */
  #askServer(sql: string, shape: StatementShape, error: AppError): Understood {
    const outcome = this.#session.describe(sql.slice(shape.from, shape.to));
    if (outcome === null) return this.copy.understand(sql, shape);
    if (!outcome.ok) throw error.sqlite?.offset === -1 ? describeServerError(outcome.error) : error;
    if (outcome.response.type !== 'describe') throw malformed('it answers another request');
    return toUnderstood(outcome.response.result);
  }
}

function toUnderstood({ cols, is_readonly: readonly }: Description): Understood {
  const columns = cols.map(({ name, decltype }) => ({ name: name ?? '', declaredType: decltype ?? '', origin: null }));
  return { columns, readonly };
}

function toSchemaRow(cells: readonly unknown[]): SchemaRow {
  const [type, name, table, sql] = cells.map(decodeValue);
  if (
    typeof type !== 'string' ||
    typeof name !== 'string' ||
    typeof table !== 'string' ||
    (typeof sql !== 'string' && sql !== null)
  )
    throw malformed('the schema is not one');
  return { type, name, table, sql };
}
