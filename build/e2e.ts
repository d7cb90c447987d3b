// `npm run e2e [FILTER …] [--smoke] [--stress] [--repeat N]`: Playwright on the real app under virtual screens, and on the browser version in
// Debian's Chromium. What it does not know itself it passes on to Playwright.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBundle } from './bundle.ts';
import { slowestTests, type Outcome } from './counts.ts';
import { readEndToEndOptions } from './e2e-options.ts';
import { freePort } from './free-port.ts';
import { COMPILED_BY_NODE, DIST, freshReport } from './paths.ts';
import { playwrightOutcome } from './playwright-report.ts';
import { describeRuntime, resolveRuntime } from './runtime.ts';
import { openVirtualScreen, type Screen } from './screen.ts';
import { startStress } from './stress.ts';
import { command, runTool } from './tool.ts';

/**
 * Apps that run side by side. Each has a screen of its own, for a screen has one focus and one clipboard. One more than there are processors,
 * because a story waits for a part of its time: for frames, for polls, for processes to start and to end.
 */
const SCREENS = availableParallelism() + 1;

export async function runEndToEndTests(args: readonly string[], reportName = 'e2e.json'): Promise<Outcome> {
  const { stress, playwrightArgs } = readEndToEndOptions(args);
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  console.log(describeRuntime(runtime));
  const screens = process.platform === 'linux' ? await openScreens() : [];
  const report = freshReport(reportName);
  const stopStress = stress ? startStress() : null;
  const exitCode = await runTool('playwright', ['test', '--reporter=list,json', ...playwrightArgs], {
    // Lets Playwright start it by its own default way, which hooks in before the app is ready.
    ELECTRON_OVERRIDE_DIST_PATH: runtime.folder,
    NODE_COMPILE_CACHE: COMPILED_BY_NODE,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Kept for the next run, and out of the temporary folder, where tests leave nothing.
    PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(DIST, 'cache', 'playwright'),
    SIDELITE_SCREENS: screens.map(({ display }) => display).join(' '),
    WAYLAND_DISPLAY: '',
    SIDELITE_WEB_PORT: process.env['SIDELITE_WEB_PORT'] ?? String(await freePort()),
  });
  stopStress?.();
  for (const screen of screens) screen.close();
  return playwrightOutcome(report, exitCode);
}

function openScreens(): Promise<Screen[]> {
  return Promise.all(Array.from({ length: SCREENS }, () => openVirtualScreen()));
}

await command(import.meta, async (args) => {
  const { failed, timed } = await runEndToEndTests(args);
  const slowest = slowestTests(timed, 10);
  if (slowest.length > 1) console.log(['\nSlowest tests:', ...slowest].join('\n  '));
  return failed > 0 ? 1 : 0;
});
