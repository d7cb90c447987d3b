// Unit tests and the engine contract: next to the code they test, on the tool chain's own Node.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { withBoundedParquet } from './build/bounded-parquet.ts';

export default defineConfig({
  // As in the product.
  plugins: [withBoundedParquet()],
  resolve: {
    alias: [{ find: /^#shared\//, replacement: fileURLToPath(new URL('./shared/', import.meta.url)) }],
  },
  test: {
    include: ['{shared,worker,renderer,electron,build}/**/*.test.ts'],
    environment: 'node',
    server: { deps: { inline: [/hyparquet/] } },
    globals: false,
    restoreMocks: true,
    testTimeout: 60_000,
    // The default leaves one processor idle.
    maxWorkers: '100%',
  },
});
