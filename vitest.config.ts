// Unit tests and the engine contract: next to the code they test, on the tool chain's own Node.
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { withBoundedParquet } from './build/bounded-parquet.ts';
import { LongFirst } from './build/long-first.ts';

const TESTS = '{shared,worker,renderer,electron,build}/**/*.test.ts';
// Only for `npm run test:long`, or if one is named.
const SKIPPED = ['**/node_modules/**', ...(process.env['SIDELITE_LONG'] === '1' ? [] : ['**/*.long.test.ts'])];

/**
 * A process of its own for each file costs a quarter of a second to start and load the same modules again. Files share one unless they replace
 * modules, change the process, keep a folder in a module that others load, too, or measure: what another file has left or warmed up would show.
 */
const NEEDS_OWN_PROCESS = new RegExp(
  [
    String.raw`vi\.(mock|doMock|resetModules|stub|useFake)|globalThis|vitest-environment`,
    String.raw`process\.(env|on|chdir|umask)`,
    String.raw`schema-change/engines\.test-suite|\./engines\.test-suite`,
    String.raw`growth|memoryUsage|performance\.now|cpuUsage`,
  ].join('|'),
);
const needsOwnProcess = (file: string): boolean =>
  file.endsWith('.long.test.ts') || NEEDS_OWN_PROCESS.test(readFileSync(file, 'utf8'));

/** A new file takes part once the runner is started again. */
function projects(): readonly TestProjectInlineConfiguration[] {
  const root = fileURLToPath(new URL('./', import.meta.url));
  const files = globSync(TESTS, { cwd: root });
  const alone = new Set(files.filter((file) => needsOwnProcess(root + file)));
  const project = (name: string, isolate: boolean): TestProjectInlineConfiguration => ({
    extends: true,
    test: { name, isolate, include: files.filter((file) => alone.has(file) === isolate), exclude: SKIPPED },
  });
  return [project('own-process', true), project('shared-process', false)];
}

export default defineConfig({
  // As in the product.
  plugins: [withBoundedParquet()],
  resolve: {
    alias: [{ find: /^#shared\//, replacement: fileURLToPath(new URL('./shared/', import.meta.url)) }],
  },
  test: {
    projects: [...projects()],
    environment: 'node',
    sequence: { sequencer: LongFirst },
    setupFiles: ['build/own-temporary-folder.ts'],
    server: { deps: { inline: [/hyparquet/, /fzstd/] } },
    globals: false,
    restoreMocks: true,
    // Long enough for the longest of them on a machine that does much else: most wait for threads, processes, and files, or try thousands of
    // random cases. A limit that a busy machine can reach would fail tests of code that is right.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // One more than there are processors, because some tests wait for replies, threads, and processes for most of their time.
    maxWorkers: availableParallelism() + 1,
  },
});
