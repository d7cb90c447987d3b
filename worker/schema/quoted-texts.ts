// The text of a view with texts in single quotes instead of double ones, for an engine that takes the latter for names.
import { parseObject } from '#shared/ddl/parse-object.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import type { Connection } from '../engines/engine.ts';

/** Each is found by preparing the query once more. */
const MAX_TEXTS = 100;

/** Changes only what is no name in the view's query; null if it cannot be compiled that way either. */
export function withSingleQuotes(connection: Connection, sql: string): string | null {
  let text = sql;
  for (let found = 0; found <= MAX_TEXTS; found++) {
    const model = parseObject(text);
    if (!model.understood || model.kind !== 'view') return null;
    try {
      connection.prepare(model.query.sql).finalize();
      return text;
    } catch (error) {
      const { isQuoted, name } = toAppError(error).detail ?? {};
      if (isQuoted !== true || typeof name !== 'string') return null;
      const { from } = model.query.span;
      const next = text.slice(0, from) + quotedSingly(text.slice(from), name);
      if (next === text) return null;
      text = next;
    }
  }
  return null;
}

function quotedSingly(sql: string, name: string): string {
  let [written, done] = ['', 0];
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    if (scanner.kind !== Token.quoted || sql[scanner.from] !== '"' || scanner.name !== name) continue;
    written += `${sql.slice(done, scanner.from)}'${name.replaceAll("'", "''")}'`;
    done = scanner.to;
  }
  return written + sql.slice(done);
}
