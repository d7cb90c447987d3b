// `npm run dev [-- --inspect] [FILE …]`: the app from the sources, in step with them. The window takes changes while it runs; the worker, the
// native engine and the app start again when their code has changed.
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { DEV_SERVER_VARIABLE, INSPECT_NATIVE_VARIABLE } from '#shared/dev-link.ts';
import { absolute, appEnvironment, endOf, sandboxSwitches, spawnApp } from './app.ts';
import { ensureBundle } from './bundle.ts';
import { DIST, ROOT } from './paths.ts';
import { isLegacy, resolveRuntime } from './runtime.ts';
import { command, endTogether } from './tool.ts';

/** Ports for debuggers with `--inspect`. */
const INSPECT = { main: 9229, native: 9230, pages: 9222 } as const;

await command(import.meta, async (args) => {
  const isInspected = args.includes('--inspect');
  const runtime = resolveRuntime();
  const [{ executable, version }, env] = await Promise.all([runtime, appEnvironment(runtime), ensureBundle()]);
  // A build says `production` there, and the bundler then serves the window without React's refresh.
  process.env['NODE_ENV'] = 'development';
  // Loaded only now: what they need of the bundler takes a while.
  const [{ startWindowServer }, { rebuildOnChange }, { buildHook }] = await Promise.all([
    import('./dev/window-server.ts'),
    import('./dev/rebuild.ts'),
    import('./dev/hook.ts'),
  ]);
  const [server, hook] = await Promise.all([startWindowServer(), buildHook(join(DIST, 'dev'))]);
  let isRestarting = false;
  rebuildOnChange(isLegacy({ version }), (events) => {
    // Everything starts again with the app.
    if (events.includes('main')) isRestarting = server.tell('main');
    else for (const event of events) server.tell(event);
  });
  if (isInspected) console.log(inspectHelp());
  const start = (): ChildProcess =>
    spawnApp(
      executable,
      [
        ...(isInspected ? [`--inspect=${INSPECT.main}`, `--remote-debugging-port=${INSPECT.pages}`] : []),
        ...['-r', hook, ROOT],
        ...sandboxSwitches(),
        ...args.filter((arg) => arg !== '--inspect').map(absolute),
      ],
      {
        ...env,
        [DEV_SERVER_VARIABLE]: server.address,
        ...(isInspected && { [INSPECT_NATIVE_VARIABLE]: String(INSPECT.native) }),
      },
    );
  for (;;) {
    isRestarting = false;
    const app = start();
    endTogether(app);
    const code = await endOf(app);
    if (!isRestarting) return code;
  }
});

function inspectHelp(): string {
  return [
    'Debuggers join at:',
    `  main            127.0.0.1:${INSPECT.main}`,
    `  window, host    127.0.0.1:${INSPECT.pages} (the worker is a thread of the host)`,
    `  native engine   127.0.0.1:${INSPECT.native}, as soon as a file is opened in place`,
  ].join('\n');
}
