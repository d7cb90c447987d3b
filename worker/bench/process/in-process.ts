// The drivers of engines that run in a thread of the bench process. Loaded when they are measured: until then an engine costs nothing.
import type { DriverName } from '#shared/bench/engines.ts';
import type { DriverRegistry, LoadDriver } from '../driver.ts';

export const PROCESS_DRIVERS: DriverRegistry = {
  'better-sqlite': () => import('./better-sqlite.ts'),
  'node-sqlite': () => import('./node-sqlite.ts'),
  'third-party': () => import('./third-party.ts'),
  sqlite3: () => import('./sqlite3.ts'),
} satisfies Record<DriverName<'process'>, LoadDriver>;
