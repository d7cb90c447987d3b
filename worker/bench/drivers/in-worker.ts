// The drivers of engines that run in a worker of the host page. Loaded when they are measured: until then an engine costs nothing.
import type { DriverRegistry } from '../driver.ts';

export const WORKER_DRIVERS: DriverRegistry = {};
