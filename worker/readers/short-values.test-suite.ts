// For tests: an engine that cannot read a long value.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';

/** Reads only queries that leave long values out: one that the native engine cannot read takes half a gigabyte. */
export function withLimit(connection: Connection): Connection {
  const prepare: Connection['prepare'] = (sql) => {
    const statement = connection.prepare(sql);
    const pack: typeof statement.pack = (writer, limits) => {
      if (!sql.includes('iif(')) throw new AppError({ code: 'too-big', message: 'Too long.' });
      return statement.pack(writer, limits);
    };
    return new Proxy(statement, {
      get: (target, name) => {
        const own: unknown = name === 'pack' ? pack : Reflect.get(target, name, target);
        return typeof own === 'function' && own !== pack ? (own.bind(target) as unknown) : own;
      },
    });
  };
  return new Proxy(connection, {
    get: (target, name) => (name === 'prepare' ? prepare : (Reflect.get(target, name, target) as unknown)),
  });
}
