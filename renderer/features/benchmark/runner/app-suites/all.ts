// Loads the suites of the window, which measure the product itself, each from its own file.
import type { BenchServices } from '../run.ts';

export const APP_SUITES: BenchServices['appSuites'] = {
  browse: async () => (await import('./browse.ts')).startBrowse(),
  export: async () => (await import('./export.ts')).startExport(),
  import: async () => (await import('./import.ts')).startImport(),
  live: async () => (await import('./live.ts')).startLive(),
  'sql-tab': async () => (await import('./sql-tab.ts')).startSqlTab(),
  startup: async () => (await import('./startup.ts')).startStartup(),
};
