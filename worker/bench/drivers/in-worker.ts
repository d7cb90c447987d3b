// The drivers of engines that run in a worker of the host page. Loaded when they are measured: until then an engine costs nothing.
import type { DriverRegistry } from '../driver.ts';

const product = () => import('./product.ts');
const oo1 = () => import('./oo1.ts');
const waSqlite = () => import('./wa-sqlite.ts');
const pglite = () => import('./pglite.ts');

export const WORKER_DRIVERS: DriverRegistry = {
  memory: product,
  'opfs-balanced': product,
  'opfs-full': product,
  sahpool: oo1,
  'opfs-vfs': oo1,
  'opfs-wl': oo1,
  kvvfs: oo1,
  'libsql-wasm': oo1,
  'wa-sqlite-memory': waSqlite,
  'wa-sqlite-pool': waSqlite,
  'wa-sqlite-coop': waSqlite,
  'wa-sqlite-write-ahead': waSqlite,
  'wa-sqlite-idb': waSqlite,
  'pglite-memory': pglite,
  'pglite-idb': pglite,
  'pglite-idb-relaxed': pglite,
  'pglite-opfs': pglite,
  'pglite-opfs-relaxed': pglite,
  'turso-wasm': () => import('./turso-wasm.ts'),
  'sql-js': () => import('./sql-js.ts'),
};
