// Loads the suites of the window, which measure the product itself, each from its own file.
import type { SuiteId } from '#shared/bench/suites.ts';
import type { BenchServices } from '../run.ts';
import type { ProductSuite } from './app-suite.ts';

const SUITES: Readonly<Partial<Record<SuiteId, () => Promise<ProductSuite>>>> = {
  browse: async () => (await import('./browse.ts')).browse(),
  export: async () => (await import('./import-export.ts')).exporting(),
  import: async () => (await import('./import-export.ts')).importing(),
  live: async () => (await import('./live.ts')).live(),
  'sql-tab': async () => (await import('./sql-tab.ts')).sqlTab(),
  startup: async () => (await import('./startup.ts')).startup(),
};

export const APP_SUITES: BenchServices['appSuites'] = Object.fromEntries(
  Object.entries(SUITES).map(([id, load]) => [
    id,
    async () => (await import('./app-suite.ts')).windowSuite(await load()),
  ]),
);
