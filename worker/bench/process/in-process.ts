// The drivers of engines that run in a thread of the bench process. Loaded when they are measured: until then an engine costs nothing.
import type { DriverRegistry } from '../driver.ts';

const betterSqlite = () => import('./better-sqlite.ts');
const nodeSqlite = () => import('./node-sqlite.ts');
const peers = () => import('./peers.ts');

export const PROCESS_DRIVERS: DriverRegistry = {
  'native-memory': betterSqlite,
  'native-balanced': betterSqlite,
  'native-full': betterSqlite,
  'node-sqlite-memory': nodeSqlite,
  'node-sqlite-balanced': nodeSqlite,
  'node-sqlite-full': nodeSqlite,
  libsql: peers,
  turso: peers,
  sqlite3: () => import('./sqlite3.ts'),
};
