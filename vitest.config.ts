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
 * A process of its own for each file costs a quarter of a second to start and load the same modules again. Files of pure modules share one,
 * unless they replace modules, change the process, or measure: what another file has left or warmed up would show there. Test code of
 * engines keeps databases and folders for one file.
 */
const SHARES_PROCESS = /^(shared|renderer)\//;
const NEEDS_OWN_PROCESS =
  /vi\.(mock|doMock|resetModules|stub|useFake)|globalThis|vitest-environment|process\.(env|on|chdir)|memoryUsage|performance\.now|cpuUsage/;

function sharesProcess(file: string, root: string): boolean {
  const path = file.replaceAll('\\', '/');
  return (
    SHARES_PROCESS.test(path) &&
    !path.endsWith('.long.test.ts') &&
    !NEEDS_OWN_PROCESS.test(readFileSync(root + file, 'utf8'))
  );
}

/** A new file takes part once the runner is started again. */
function projects(): readonly TestProjectInlineConfiguration[] {
  const root = fileURLToPath(new URL('./', import.meta.url));
  const files = globSync(TESTS, { cwd: root });
  const sharing = new Set(files.filter((file) => sharesProcess(file, root)));
  const project = (name: string, isolate: boolean): TestProjectInlineConfiguration => ({
    extends: true,
    test: { name, isolate, include: files.filter((file) => sharing.has(file) !== isolate), exclude: SKIPPED },
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
