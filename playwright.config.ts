// End-to-end tests: `electron` drives the real app, `web` runs what a plain browser can do in today's Chromium.
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const WEB_PORT = Number(process.env['SIDELITE_WEB_PORT'] ?? 4179);
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e/specs',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // One app at a time: they would compete for two cores and for the focus of one screen.
  workers: 1,
  // Where nobody can look at once, a second try tells a test that always fails from one the machine has held up; both are listed.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
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
        launchOptions: {
          executablePath: existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : 'chromium',
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
