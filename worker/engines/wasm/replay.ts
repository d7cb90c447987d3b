// The state of a connection in which changes are put back as they were: nothing follows from them, and nothing is checked again.
import type { Connection } from '../engine.ts';
import type { Sqlite } from './load.ts';
import { DbConfig } from './raw.ts';
import type { Pointer } from './raw.ts';

/** As they are while changes are put back. Shadow tables can only be written without defensive mode. */
const WHILE_REPLAYING = [
  [DbConfig.foreignKeys, 0],
  [DbConfig.triggers, 0],
  [DbConfig.defensive, 0],
] as const;

/** Puts the connection into that state, outside of transactions. Answers what ends it. */
export function beginReplay(sqlite: Sqlite, db: Pointer, connection: Connection): () => void {
  const { raw, heap, out } = sqlite;
  const checksIgnored = connection.one('PRAGMA ignore_check_constraints')?.[0] === 1;
  const before = WHILE_REPLAYING.map(([option]) => {
    raw.sqlite3__wasm_db_config_ip(db, option, -1, out);
    return [option, heap.view.getInt32(out, true)] as const;
  });
  const set = (settings: readonly (readonly [number, number])[]): void => {
    for (const [option, value] of settings) raw.sqlite3__wasm_db_config_ip(db, option, value, 0);
  };
  set(WHILE_REPLAYING);
  connection.run('PRAGMA ignore_check_constraints = ON');
  return () => {
    // Reads the schema again: FTS5 keeps what it has read of its index until its table is opened anew, and the planner its statistics.
    connection.run('PRAGMA writable_schema = RESET');
    connection.run(`PRAGMA ignore_check_constraints = ${checksIgnored ? 'ON' : 'OFF'}`);
    set(before);
  };
}
