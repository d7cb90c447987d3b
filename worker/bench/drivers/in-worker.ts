// The drivers of engines that run in a worker of the host page. Loaded when they are measured: until then an engine costs nothing.
import type { DriverName } from '#shared/bench/engines.ts';
import type { DriverRegistry, LoadDriver } from '../driver.ts';

export const WORKER_DRIVERS: DriverRegistry = {
  product: () => import('./product.ts'),
  oo1: () => import('./oo1.ts'),
  'wa-sqlite': () => import('./wa-sqlite.ts'),
  pglite: () => import('./pglite.ts'),
  'turso-wasm': () => import('./turso-wasm.ts'),
  'sql-js': () => import('./sql-js.ts'),
} satisfies Record<DriverName<'worker'>, LoadDriver>;
