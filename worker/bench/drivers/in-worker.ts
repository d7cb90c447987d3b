// The drivers of engines that run in a worker of the host page. Loaded when they are measured: until then an engine costs nothing.
import type { DriverRegistry } from '../driver.ts';

const product = () => import('./product.ts');

export const WORKER_DRIVERS: DriverRegistry = {
  memory: product,
  'opfs-balanced': product,
  'opfs-full': product,
};
