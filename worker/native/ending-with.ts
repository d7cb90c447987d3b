// A connection that reports when it is closed.
import type { Connection } from '../engines/engine.ts';

/** Returns the same connection; `ended` is called just before it is closed. */
export function endingWith(connection: Connection, ended: () => void): Connection {
  const close = connection.close.bind(connection);
  connection.close = () => {
    ended();
    close();
  };
  return connection;
}
