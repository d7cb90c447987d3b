// Loads the suites of the window, which measure the product itself, each from its own file.
import type { BenchServices } from '../run.ts';

export const APP_SUITES: BenchServices['appSuites'] = {
  browse: async () => new (await import('./browse.ts')).Browse(),
  export: async () => new (await import('./export.ts')).Export(),
  import: async () => new (await import('./import.ts')).Import(),
  live: async () => new (await import('./live.ts')).Live(),
  'sql-tab': async () => new (await import('./sql-tab.ts')).SqlTab(),
  startup: async () => (await import('./startup.ts')).startStartup(),
};
