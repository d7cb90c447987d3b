// `npm run measure [NAME …]`: measures the real app under a virtual screen; see e2e/measure/.
import { ensureBundle } from './bundle.ts';
import { inRoot } from './paths.ts';
import { describeRuntime, resolveRuntime } from './runtime.ts';
import { openVirtualScreen } from './screen.ts';
import { command, runTool } from './tool.ts';

await command(import.meta, async (args) => {
  const [runtime] = await Promise.all([resolveRuntime(), ensureBundle()]);
  console.log(describeRuntime(runtime));
  const screen = process.platform === 'linux' ? await openVirtualScreen() : null;
  const exitCode = await runTool('node', [inRoot('e2e', 'measure', 'measure.ts'), ...args], {
    ELECTRON_OVERRIDE_DIST_PATH: runtime.folder,
    ...(screen && { DISPLAY: screen.display, WAYLAND_DISPLAY: '' }),
  });
  screen?.close();
  return exitCode;
});
