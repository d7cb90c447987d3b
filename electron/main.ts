// The main process: starts everything in order and connects the parts.
import { join } from 'node:path';
import { app, Menu, session } from 'electron';
import { asksForCommand } from '#shared/command-names.ts';
import { BENCH_HASH } from '#shared/bench/shell.ts';
import { measureThisStart } from './bench/app-start.ts';
import { Bench } from './bench/bench.ts';
import { readJob } from './bench/job.ts';
import type { CommandLineJob } from './bench/job.ts';
import { declareSchemes, serveAppScheme } from './app-scheme/handler.ts';
import { createBroker } from './broker.ts';
import { HISTORY_FOLDER } from './command/context.ts';
import { runCommand } from './command/launch.ts';
import { parseCommandLine, wordsOf } from './command-line.ts';
import { log, markRun, startCrashReporter } from './crash.ts';
import { createFileTokens } from './files/file-tokens.ts';
import { FilesInPlace } from './files/files-in-place.ts';
import { createSourceBackups } from './files/source-backups.ts';
import { createFileLocations } from './files/file-locations.ts';
import { createComparisonCopyFiles } from './files/comparison-copies.ts';
import { createRecentFiles } from './files/recent-files.ts';
import { TextFiles } from './files/text-files.ts';
import { createUnfinishedFiles } from './files/unfinished-files.ts';
import { serveBench } from './ipc/bench.ts';
import { serveClipboard } from './ipc/clipboard.ts';
import { serveDialogs } from './ipc/dialogs.ts';
import { serveDocuments } from './ipc/documents.ts';
import { serveFiles } from './ipc/files.ts';
import { serveReplicas } from './ipc/replicas.ts';
import { serveRemote } from './ipc/remote.ts';
import { serveSettings } from './ipc/settings.ts';
import { serveTextFiles } from './ipc/text-files.ts';
import { serveComparisonCopies } from './ipc/comparison-copies.ts';
import { serveWindows } from './ipc/window.ts';
import { claimSingleInstance, quitInOrder } from './lifecycle.ts';
import { createLastFolder } from './last-folder.ts';
import { keepMenu } from './menu.ts';
import { NativeEngine } from './native/native-engine.ts';
import { LitestreamProgram } from './replicas/program.ts';
import { Replicas } from './replicas/replicas.ts';
import { Connections } from './remote/connections.ts';
import { systemKeyStore } from './remote/key-store.ts';
import { RemoteEngines } from './remote/remote-engines.ts';
import { createOpenRequests } from './open-requests.ts';
import type { OpenRequest } from './open-requests.ts';
import { confineNavigation, refuseDownloads } from './security/navigation.ts';
import { denyPasteByScript, denyPermissions } from './security/permissions.ts';
import { isSandboxed } from './security/sandbox.ts';
import { Settings } from './settings.ts';
import { serveTextMenu } from './text-menu.ts';
import { runSmokeTest } from './smoke.ts';
import { openAppWindow } from './windows/app-window.ts';
import type { Closing } from './windows/app-window.ts';
import { DocumentWindows } from './windows/document-windows.ts';
import { openHostWindow } from './windows/host-window.ts';
import { appWindows, bringToFront, currentWindow } from './windows/registry.ts';
import type { AppWindow } from './windows/registry.ts';
import { mayLoseWork } from './windows/unsaved-work.ts';
import type { WindowPlacement } from './windows/window-placements.ts';
import { createWindowState } from './windows/window-state.ts';

const commandLine = parseCommandLine(process.argv, app.isPackaged, process.cwd());

const userData = commandLine.userDataDir ?? join(app.getPath('appData'), 'Sidelite');
const words = wordsOf(process.argv, app.isPackaged);
// A command ends the process.
if (asksForCommand(words)) runCommand(words, userData);

app.setName('Sidelite');
app.setPath('userData', userData);
// If --no-sandbox is given as well, child processes crash in a loop.
if (isSandboxed()) app.enableSandbox();
declareSchemes();
startCrashReporter();
confineNavigation();
denyPasteByScript();
Menu.setApplicationMenu(null); // Before the window opens, so that the default menu never appears.

const profile = (name: string): string => join(app.getPath('userData'), name);

const asked = commandLine.files.map((path): OpenRequest => ({ path, view: commandLine.view }));
let joinRunning: (requests: readonly OpenRequest[]) => void = () => undefined;
if (claimSingleInstance(asked, (requests) => joinRunning(requests))) {
  const locations = createFileLocations(profile('source-places.json'));
  const inPlace = new FilesInPlace(createFileLocations(profile('files-in-place.json')));
  const unfinished = createUnfinishedFiles(profile('unfinished-files.json'));
  const textFiles = new TextFiles(profile('text-files.json'), unfinished);
  const files = createFileTokens({
    locations,
    inPlace,
    unfinished,
    backups: createSourceBackups(profile('source-backups.json')),
    refused: (fileName, windowId) => log(`window ${windowId} asked for “${fileName}”, which was chosen in another one`),
  });
  const settings = new Settings(profile('settings.json'));
  const lastFolder = createLastFolder(profile('last-folder.json'));
  const recent = createRecentFiles(profile('recent-files.json'), () => settings.get('recentFiles'));
  const litestream = new LitestreamProgram(profile('litestream.json'), process.env['PATH'] ?? '');
  const replicas = new Replicas(profile('replicas'), litestream, log);
  const requests = createOpenRequests((path, { windowId }) => {
    recent.add(path);
    return files.addSource(windowId, path);
  });
  requests.add(asked);
  serveTextMenu(settings);
  serveDocuments(new DocumentWindows());
  joinRunning = (more) => requests.add(more);
  const openFile = (path: string): void => requests.add([{ path, view: null }]);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openFile(path);
  });
  void app.whenReady().then(() => start());

  function start(): void {
    const state = createWindowState(profile('windows.json'));
    const mark = markRun();
    const native = new NativeEngine(files, inPlace, profile(HISTORY_FOLDER));
    const remote = new RemoteEngines(files, new Connections(profile('connections.json'), systemKeyStore));
    const comparisonCopies = createComparisonCopyFiles(app.getPath('userData'));
    const broker = createBroker(files);
    const openWindow = (placement: WindowPlacement | null = null, hash = ''): AppWindow =>
      openAppWindow(placement, state, closing, { hash, crashes: placement && mark.recoveredFromCrash ? 1 : 0 });
    const job = commandLine.benchFile === null ? null : readJob(commandLine.benchFile);
    const bench = new Bench({ broker, comparisonCopies, sandbox: isSandboxed(), job, profile, openWindow });
    const closing: Closing = {
      onLast: quitWithLastWindow,
      mayClose: async (window) => (await bench.turn.mayEnd(window, 'Close')) && (await mayLoseWork([window], 'Close')),
      closed(window) {
        bench.end(window);
        inPlace.forgetWindow(window.windowId);
      },
    };

    for (const guard of [denyPermissions, refuseDownloads]) guard(session.defaultSession);
    serveAppScheme(join(__dirname, '..', 'app'), app.isPackaged ? process.resourcesPath : null);
    serveDialogs(files, lastFolder, recent);
    serveClipboard();
    serveFiles({ files, locations, inPlace, requests, native, recent });
    serveComparisonCopies(files, comparisonCopies, native);
    serveRemote(remote);
    serveReplicas(replicas, native, lastFolder);
    serveSettings(settings, lastFolder);
    serveTextFiles(files, textFiles);
    serveBench(bench, native);
    serveWindows({
      broker,
      openWindow: () => void openWindow(),
      loaded(window) {
        for (const engine of [native, remote]) engine.forget(window);
        for (const temporary of [comparisonCopies, replicas]) temporary.removeAllOf(window);
        bench.end(window);
      },
    });

    const last = state.load();
    textFiles.keepWindows(last.map(({ windowId }) => windowId));
    const first = openWindow(last[0], commandLine.benchFile === null ? '' : BENCH_HASH);
    const host = openHostWindow(broker, () => app.quit());
    for (const place of last.slice(1)) openWindow(place);

    keepMenu({ settings, recent, openWindow: () => void openWindow(), openFile });
    quitInOrder({ host, engines: [native, remote], state, mark, mayQuit: () => mayQuit(bench) });
    app.on('will-quit', () => {
      comparisonCopies.removeAll();
      bench.destroy();
      requests.end();
    });
    joinRunning = (more) => {
      bringToFront(currentWindow() ?? openWindow());
      requests.add(more);
    };
    app.on('activate', () => void (appWindows().length === 0 && openWindow()));
    if (commandLine.smoke) void runSmokeTest(first);
    if (commandLine.startedFile !== null) measureThisStart(first, native, commandLine.startedFile);
    if (job) endWithWindow(first, job);
  }
} else {
  app.exit(0);
}

/** A command-line job has no user to ask whether to continue. */
function endWithWindow({ browserWindow }: AppWindow, job: CommandLineJob): void {
  browserWindow.webContents.once('render-process-gone', (_event, { reason }) =>
    job.finish({ failure: `The window that ran the benchmark closed (${reason}).` }),
  );
}

async function mayQuit(bench: Bench): Promise<boolean> {
  return (await bench.mayQuit()) && mayLoseWork(appWindows(), 'Quit');
}

/** On macOS an app stays running without windows. */
function quitWithLastWindow(): boolean {
  if (process.platform === 'darwin') return false;
  app.quit();
  return true;
}
