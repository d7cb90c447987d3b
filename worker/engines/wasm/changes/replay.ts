// The switches of a connection during a replay of changes: they trigger nothing, and nothing is checked again.
import type { Connection } from '../../engine.ts';
import type { Sqlite } from '../runtime/load.ts';
import { DbConfig } from '../runtime/raw.ts';
import type { Pointer } from '../runtime/raw.ts';

/** Settings during a replay. Shadow tables can be written only without defensive mode. */
const WHILE_REPLAYING = [
  [DbConfig.foreignKeys, 0],
  [DbConfig.triggers, 0],
  [DbConfig.defensive, 0],
] as const;

/** Settings outside transactions. The protective ones are restored first. */
export function replaySwitches(
  sqlite: Sqlite,
  db: Pointer,
  connection: Connection,
): { readonly set: () => void; readonly restore: () => void } {
  const { raw, heap, out } = sqlite;
  const checksIgnored = (): number => Number(connection.one('PRAGMA ignore_check_constraints')?.[0]);
  const stateOf = (option: number): number => {
    raw.sqlite3__wasm_db_config_ip(db, option, -1, out);
    return heap.view.getInt32(out, true);
  };
  const setAll = (settings: readonly (readonly [option: number, value: number])[]): void => {
    for (const [option, value] of settings) raw.sqlite3__wasm_db_config_ip(db, option, value, 0);
    if (settings.some(([option, value]) => stateOf(option) !== value)) throw new Error('A switch did not move.');
  };
  const before = WHILE_REPLAYING.map(([option]) => [option, stateOf(option)] as const);
  const checksBefore = checksIgnored();
  return {
    set: () => {
      setAll(WHILE_REPLAYING);
      connection.run('PRAGMA ignore_check_constraints = ON');
    },
    restore: () => {
      setAll(before);
      connection.run(`PRAGMA ignore_check_constraints = ${checksBefore === 1 ? 'ON' : 'OFF'}`);
      if (checksIgnored() !== checksBefore) throw new Error('CHECK is still off.');
      // Reads the schema again: FTS5 caches its index until its table is opened again, and the planner caches its statistics.
      connection.run('PRAGMA writable_schema = RESET');
    },
  };
}
