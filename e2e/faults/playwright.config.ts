// Kills of the real app, many and at random moments: `npm run faults -- --kills N`, apart from the end-to-end tests.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results',
  workers: 1,
  retries: 0,
  expect: { timeout: 30_000 },
  reporter: 'list',
});
