// Files of the suites.
import type { SuiteId } from '#shared/bench/suites.ts';
import type { BenchSuite } from '../suite.ts';

export const SUITE_FILES: Readonly<Partial<Record<SuiteId, () => Promise<BenchSuite>>>> = {
  'wasm-run': async () => (await import('./wasm-run.ts')).wasmRun,
  million: async () => (await import('./million.ts')).million,
  crud: async () => (await import('./crud.ts')).crud,
  speedtest1: async () => (await import('./speedtest1.ts')).speedtest1,
  rtt: async () => (await import('./rtt.ts')).rtt,
  sqlite16: async () => (await import('./sqlite16.ts')).sqlite16,
  transport: async () => (await import('./transport.ts')).transport,
  readers: async () => (await import('./readers.ts')).readers,
  'sql-tab': async () => (await import('./speedtest1.ts')).sqlTab,
  'own-query': async () => (await import('./own-query.ts')).ownQuery,
};
