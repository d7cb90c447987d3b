// The main process: runs a command, or starts the app once Electron is ready. Everything that belongs to the process, not to an app, is set
// up here.
import { join } from 'node:path';
import { app, Menu } from 'electron';
import { asksForCommand } from '#shared/command-names.ts';
import { declareSchemes } from './app-scheme/handler.ts';
import { runCommand } from './command/launch.ts';
import { parseCommandLine, wordsOf } from './command-line.ts';
import { startCrashReporter } from './crash.ts';
import { chooseGtkTheme } from './gtk-theme.ts';
import { claimSingleInstance } from './lifecycle.ts';
import type { OpenRequest } from './open-requests.ts';
import { orderOfParent } from './parent.ts';
import { confineNavigation, refuseAddresses } from './security/navigation.ts';
import { denyPasteByScript } from './security/permissions.ts';
import { isSandboxed } from './security/sandbox.ts';
import { startApp } from './start-app.ts';
import type { RunningApp } from './start-app.ts';

/** Set by a script that is loaded ahead of this one (`-r`, which the packaged app ignores) to start apps itself, one after another. */
interface Preloaded {
  sideliteApps?: (start: typeof startApp, read: typeof parseCommandLine) => void;
}

const commandLine = parseCommandLine(process.argv, app.isPackaged, process.cwd());

const userData = commandLine.userDataDir ?? join(app.getPath('appData'), 'Sidelite');
const words = wordsOf(process.argv, app.isPackaged);
// Otherwise Windows runs a program such as Git from the current folder, which may be anybody’s, if it is there (libuv#4238).
if (process.platform === 'win32') process.env['NoDefaultCurrentDirectoryInExePath'] = '1';
// A command ends the process.
if (asksForCommand(words)) runCommand(words, userData);

app.setName('Sidelite');
app.setPath('userData', userData);
// If --no-sandbox is given as well, child processes crash in a loop.
if (isSandboxed()) app.enableSandbox();
declareSchemes();
startCrashReporter();
confineNavigation();
refuseAddresses();
denyPasteByScript();
Menu.setApplicationMenu(null); // Before the window opens, so that the default menu never appears.

const { sideliteApps } = globalThis as Preloaded;
if (sideliteApps) sideliteApps(startApp, parseCommandLine);
else startAlone();

function startAlone(): void {
  const asked = commandLine.files.map((path): OpenRequest => ({ path, view: commandLine.view }));
  let running: RunningApp | null = null;
  /** Requests that came before Electron was ready. */
  const early: OpenRequest[] = [];
  const isFirst = claimSingleInstance(asked, (requests) =>
    running ? running.join(requests) : early.push(...requests),
  );
  if (!isFirst) return app.exit(0);
  const gtkHasStarted = chooseGtkTheme(userData);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    const requests = [{ path, view: null }];
    if (running) running.open(requests);
    else early.push(...requests);
  });
  void Promise.all([orderOfParent(), app.whenReady()]).then(([order]) => {
    gtkHasStarted();
    running = startApp({ commandLine, order, partition: null, requests: [...asked, ...early] });
  });
}
