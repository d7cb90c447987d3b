// The drivers of engines that run in a thread of the bench process. Loaded when they are measured: until then an engine costs nothing.
import type { DriverRegistry } from '../driver.ts';

const betterSqlite = () => import('./better-sqlite.ts');

export const PROCESS_DRIVERS: DriverRegistry = {
  'native-memory': betterSqlite,
  'native-balanced': betterSqlite,
  'native-full': betterSqlite,
};
