// Unit tests and the engine contract: next to the code they test, on the tool chain's own Node.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { withBoundedParquet } from './build/bounded-parquet.ts';
import { LongFirst } from './build/long-first.ts';

export default defineConfig({
  // As in the product.
  plugins: [withBoundedParquet()],
  resolve: {
    alias: [{ find: /^#shared\//, replacement: fileURLToPath(new URL('./shared/', import.meta.url)) }],
  },
  test: {
    include: ['{shared,worker,renderer,electron,build}/**/*.test.ts'],
    // Only for `npm run test:long`, or if one is named.
    exclude: ['**/node_modules/**', ...(process.env['SIDELITE_LONG'] === '1' ? [] : ['**/*.long.test.ts'])],
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
