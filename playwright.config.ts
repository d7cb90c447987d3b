// End-to-end tests: `electron` drives the real app, `web` runs what a plain browser can do in today's Chromium.
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { TRACES_DOCUMENT } from './e2e/trace.ts';

const WEB_PORT = Number(process.env['SIDELITE_WEB_PORT'] ?? 4179);
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e/specs',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // An app for each screen that the runner has opened, and tests of one file side by side too.
  workers: (process.env['SIDELITE_SCREENS'] ?? '').split(' ').length,
  fullyParallel: true,
  // A test that fails now and then shows a bug of the app until something else is proved.
  retries: 0,
  // Several starts of the app beside other work: stories assert what comes, not when.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  projects: [
    { name: 'electron', testIgnore: '**/*.web.spec.ts' },
    {
      name: 'web',
      // The file's name is part of what is matched.
      grep: /@web|\.web\.spec\.ts/,
      use: {
        baseURL: `http://localhost:${WEB_PORT}`,
        browserName: 'chromium',
        viewport: { width: 1440, height: 900 },
        trace: { mode: 'retain-on-failure', snapshots: TRACES_DOCUMENT, screenshots: TRACES_DOCUMENT, sources: false },
        screenshot: 'only-on-failure',
        launchOptions: {
          // Elsewhere the one that `npx playwright install chromium` has fetched.
          ...(existsSync(DEBIAN_CHROMIUM) && { executablePath: DEBIAN_CHROMIUM }),
          args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
        },
      },
    },
  ],
  webServer: {
    command: `"${process.execPath}" build/web.ts ${WEB_PORT}`,
    url: `http://localhost:${WEB_PORT}/`,
    reuseExistingServer: !process.env['CI'],
  },
});
