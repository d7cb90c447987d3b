// `npm run e2e [FILTER …]`: Playwright on the real app under a virtual screen, and on the browser version in Debian's Chromium.
import { ensureBundle } from './bundle.ts';
import { playwrightCounts, type Counts } from './counts.ts';
import { freshReport } from './paths.ts';
import { describeRuntime, resolveRuntime } from './runtime.ts';
import { openVirtualScreen } from './screen.ts';
import { command, runTool } from './tool.ts';

export async function runEndToEndTests(args: readonly string[]): Promise<Counts> {
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  console.log(describeRuntime(runtime));
  const screen = process.platform === 'linux' ? await openVirtualScreen() : null;
  const report = freshReport('e2e.json');
  const exitCode = await runTool('playwright', ['test', '--reporter=list,json', ...args], {
    SIDELITE_ELECTRON: runtime.executable,
    // Lets Playwright start it by its own default way, which hooks in before the app is ready.
    ELECTRON_OVERRIDE_DIST_PATH: runtime.folder,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(screen && { DISPLAY: screen.display, WAYLAND_DISPLAY: '' }),
  });
  screen?.close();
  return playwrightCounts(report, exitCode);
}

await command(import.meta, async (args) => ((await runEndToEndTests(args)).failed > 0 ? 1 : 0));
