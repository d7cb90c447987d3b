// The statements of edits that are sent together: edits of many rows repeat a few, each of which is understood once.
import type { BoundSql } from '../../guarded-write.ts';
import type { RemoteSql } from '../hrana/messages.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import type { ServerSession } from './server-session.ts';

export class KnownTexts {
  readonly #prepare: (sql: string) => RemoteStatement;
  readonly #session: Pick<ServerSession, 'bind'>;
  readonly #statements = new Map<string, RemoteStatement>();

  constructor(prepare: (sql: string) => RemoteStatement, session: Pick<ServerSession, 'bind'>) {
    this.#prepare = prepare;
    this.#session = session;
  }

  statement(sql: string): RemoteStatement {
    const known = this.#statements.get(sql) ?? this.#prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  readonly bind = ({ sql, params }: BoundSql): RemoteSql => this.#session.bind(this.statement(sql), params);
}
