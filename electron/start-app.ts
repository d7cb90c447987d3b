// One running app: its windows, the host of the library, the engines, and everything that answers them, until it ends.
import { join } from 'node:path';
import { app, session } from 'electron';
import { BENCH_HASH } from '#shared/bench/shell.ts';
import type { ParentOrder } from '#shared/bench/shell.ts';
import { serveAppScheme } from './app-scheme/handler.ts';
import { Bench } from './bench/bench.ts';
import { orderedJob } from './bench/job.ts';
import type { OrderedJob } from './bench/job.ts';
import { reportStart } from './bench/start-report.ts';
import { createBroker } from './broker.ts';
import type { Broker } from './broker.ts';
import { HISTORY_FOLDER } from './command/context.ts';
import type { CommandLine } from './command-line.ts';
import { log, markRun } from './crash.ts';
import { forgetDropped } from './dropped.ts';
import { createComparisonCopyFiles, createUnpackedFiles } from './files/temporary-databases.ts';
import type { TemporaryDatabases } from './files/temporary-databases.ts';
import { createFileLocations } from './files/file-locations.ts';
import { createFileTokens } from './files/file-tokens.ts';
import type { FileTokens } from './files/file-tokens.ts';
import { FilesInPlace } from './files/files-in-place.ts';
import { createRecentFiles } from './files/recent-files.ts';
import { createSourceBackups } from './files/source-backups.ts';
import { TextFiles } from './files/text-files.ts';
import { createUnfinishedFiles } from './files/unfinished-files.ts';
import { serveAssistants } from './ipc/assistants.ts';
import { serveBench } from './ipc/bench.ts';
import { serveClipboard } from './ipc/clipboard.ts';
import { serveComparisonCopies } from './ipc/comparison-copies.ts';
import { serveMenu } from './ipc/menu.ts';
import { serveDialogs } from './ipc/dialogs.ts';
import { serveDocuments } from './ipc/documents.ts';
import { servePrinting } from './ipc/printing.ts';
import { serveExtensions } from './ipc/extensions.ts';
import { serveFiles } from './ipc/files.ts';
import { serveGit } from './ipc/git.ts';
import { serveRemote } from './ipc/remote.ts';
import { serveReplicas } from './ipc/replicas.ts';
import { serveSettings } from './ipc/settings.ts';
import { serveTextFiles } from './ipc/text-files.ts';
import { serveUnpacked } from './ipc/unpacked.ts';
import { serveWindows } from './ipc/window.ts';
import { createLastFolder } from './last-folder.ts';
import { endInOrder, quitInOrder } from './lifecycle.ts';
import { Lifetime } from './lifetime.ts';
import { keepMenu } from './menu.ts';
import { EncryptedFiles } from './native/encrypted-files.ts';
import { ExtendedFiles } from './native/extended-files.ts';
import { Extensions } from './native/extensions.ts';
import { NativeEngine } from './native/native-engine.ts';
import { RememberedKeys } from './native/remembered-keys.ts';
import { createOpenRequests } from './open-requests.ts';
import type { OpenRequest } from './open-requests.ts';
import { quitWithParent } from './parent.ts';
import { Connections } from './remote/connections.ts';
import { systemKeyStore } from './remote/key-store.ts';
import { RemoteEngines } from './remote/remote-engines.ts';
import { LitestreamProgram } from './replicas/program.ts';
import { Replicas } from './replicas/replicas.ts';
import { removeAbandonedScratch } from './scratch-folders.ts';
import { refuseDownloads, refuseNetwork } from './security/navigation.ts';
import { denyPermissions } from './security/permissions.ts';
import { isSandboxed } from './security/sandbox.ts';
import { trustedIpc } from './security/trusted-ipc.ts';
import type { TrustedIpc } from './security/trusted-ipc.ts';
import { Settings } from './settings.ts';
import { serveTextMenu } from './text-menu.ts';
import { openAppWindow } from './windows/app-window.ts';
import type { Closing } from './windows/app-window.ts';
import { DOCUMENTS_PARTITION } from './windows/document-session.ts';
import { DocumentWindows } from './windows/document-windows.ts';
import { openHostWindow } from './windows/host-window.ts';
import { AppWindows, bringToFront } from './windows/registry.ts';
import type { AppWindow } from './windows/registry.ts';
import { mayLoseWork } from './windows/unsaved-work.ts';
import type { WindowPlacement } from './windows/window-placements.ts';
import { createWindowState } from './windows/window-state.ts';

interface AppOptions {
  readonly commandLine: CommandLine;
  /** The order of the program that has started this process. */
  readonly order: ParentOrder | null;
  /** Storage of the pages, such as `persist:name`; null: the profile's own. */
  readonly partition: string | null;
  /** Files to open first. */
  readonly requests: readonly OpenRequest[];
}

export interface RunningApp {
  /** Opens files for the file manager. */
  open(requests: readonly OpenRequest[]): void;
  /** Someone has started the app again: opens the files and comes to the front. */
  join(requests: readonly OpenRequest[]): void;
  /** Ends it in order, without asking and without quitting: another app can be started in this process. */
  dispose(): Promise<void>;
}

/** Call when Electron is ready, and once at a time. Files of the profile are in Electron's `userData` folder. */
export function startApp({ commandLine, order, partition, requests: asked }: AppOptions): RunningApp {
  const pages = partition === null ? session.defaultSession : session.fromPartition(partition);
  const lifetime = new Lifetime();
  const windows = new AppWindows();
  forgetDropped();
  const kept = readProfile(windows);
  const { files, settings, recent, requests, replicas } = kept;
  requests.add(asked);

  const state = createWindowState(windows, profile('windows.json'));
  const mark = markRun();
  void removeAbandonedScratch(log);
  const { native, remote } = enginesOf(windows, kept);
  const temporaries = createTemporaries();
  const { comparisonCopies, unpacked } = temporaries;
  const broker = createBroker(windows, files);
  const openWindow = (placement: WindowPlacement | null = null, hash = ''): AppWindow =>
    openAppWindow({ windows, pages, state, closing }, placement, {
      hash,
      crashes: placement && mark.recoveredFromCrash ? 1 : 0,
    });
  const job = orderedJob(order, commandLine.benchFile);
  const bench = new Bench({ windows, broker, comparisonCopies, sandbox: isSandboxed(), job, profile, openWindow });
  const closing = closingOf(bench, native, files, [comparisonCopies, unpacked, replicas]);
  const documents = new DocumentWindows(DOCUMENTS_PARTITION + (partition ?? ''), lifetime);

  for (const guard of [denyPermissions, refuseDownloads, refuseNetwork]) guard(pages);
  serveAppScheme(pages, join(__dirname, '..', 'app'), app.isPackaged ? process.resourcesPath : null);
  serveTextMenu(windows, lifetime, settings);
  const ipc = trustedIpc(windows, lifetime);
  servePages(ipc, {
    ...kept,
    windows,
    lifetime,
    documents,
    native,
    remote,
    ...temporaries,
    broker,
    bench,
    openWindow,
  });

  const last = state.load();
  kept.textFiles.keepWindows(last.map(({ windowId }) => windowId));
  const first = openWindow(last[0], job === null ? '' : BENCH_HASH);
  const host = openHostWindow({ ipc, pages, broker }, () => app.quit());
  for (const place of last.slice(1)) openWindow(place);

  const open = (more: readonly OpenRequest[]): void => requests.add(more);
  const openFile = (path: string): void => open([{ path, view: null }]);
  keepMenu({ windows, settings, recent, openWindow: () => void openWindow(), openFile });
  const dispose = (): Promise<void> => endInOrder({ windows, lifetime, host, engines: [native, remote], state, mark });
  quitInOrder(lifetime, async () => (await bench.mayQuit()) && mayLoseWork(windows.all, 'Quit'), dispose);
  for (const temporary of [comparisonCopies, unpacked, replicas]) lifetime.add(() => temporary.removeAll());
  for (const end of [() => bench.destroy(), () => requests.end()]) lifetime.add(end);
  lifetime.on(app, 'activate', () => void (windows.all.length === 0 && openWindow()));
  carryOut(order, job, { first, native });
  const joinRunning = (more: readonly OpenRequest[]): void => {
    bringToFront(windows.current ?? openWindow());
    open(more);
  };
  return { open, join: joinRunning, dispose };
}

function enginesOf(
  windows: AppWindows,
  { files, inPlace, extensions }: Pick<Served, 'files' | 'inPlace' | 'extensions'>,
) {
  // A process of its own for each: the numbers that it gives out are kept apart.
  let slots = 0;
  const nextSlot = (): number => slots++;
  const context = { windows, files, inPlace, extensions, historyFolder: profile(HISTORY_FOLDER) };
  const connections = new Connections(profile('connections.json'), systemKeyStore);
  const remembered = new RememberedKeys(profile('keys.json'), systemKeyStore);
  return {
    native: new NativeEngine(context, {
      encrypted: new EncryptedFiles(context, remembered, nextSlot),
      extended: new ExtendedFiles(context, nextSlot),
    }),
    remote: new RemoteEngines(windows, files, connections, nextSlot),
  };
}

function closingOf(
  bench: Bench,
  native: NativeEngine,
  files: FileTokens,
  temporaries: readonly { removeAllOf(window: AppWindow): void }[],
): Closing {
  return {
    onLast: quitWithLastWindow,
    mayClose: async (window) => (await bench.turn.mayEnd(window, 'Close')) && (await mayLoseWork([window], 'Close')),
    closed(window) {
      bench.end(window);
      native.closeAll(window);
      for (const temporary of temporaries) temporary.removeAllOf(window);
      void files.closeSourcesOf(window.windowId);
    },
  };
}

const profile = (name: string): string => join(app.getPath('userData'), name);

/** Databases that are removed with their windows. */
const createTemporaries = () => ({
  comparisonCopies: createComparisonCopyFiles(app.getPath('userData')),
  unpacked: createUnpackedFiles(app.getPath('userData')),
});

/** What the profile keeps from one start to the next. */
function readProfile(windows: AppWindows) {
  const locations = createFileLocations(profile('source-places.json'));
  const inPlace = new FilesInPlace(createFileLocations(profile('files-in-place.json')));
  const unfinished = createUnfinishedFiles(profile('unfinished-files.json'));
  const files = createFileTokens({
    locations,
    inPlace,
    unfinished,
    backups: createSourceBackups(profile('source-backups.json')),
    refused: (fileName, windowId) => log(`window ${windowId} asked for “${fileName}”, which was chosen in another one`),
  });
  const settings = new Settings(profile('settings.json'));
  const recent = createRecentFiles(profile('recent-files.json'), () => settings.get('recentFiles'));
  const litestream = new LitestreamProgram(profile('litestream.json'), process.env['PATH'] ?? '');
  return {
    locations,
    inPlace,
    files,
    settings,
    recent,
    extensions: new Extensions(profile('extensions.json')),
    textFiles: new TextFiles(profile('text-files.json'), unfinished),
    lastFolder: createLastFolder(profile('last-folder.json')),
    replicas: new Replicas(profile('replicas'), litestream, log),
    requests: createOpenRequests(windows, (path, { windowId }) => {
      recent.add(path);
      return files.addSource(windowId, path);
    }),
  };
}

interface Served extends ReturnType<typeof readProfile> {
  readonly windows: AppWindows;
  readonly lifetime: Lifetime;
  readonly documents: DocumentWindows;
  readonly native: NativeEngine;
  readonly remote: RemoteEngines;
  readonly comparisonCopies: TemporaryDatabases;
  readonly unpacked: TemporaryDatabases;
  readonly broker: Broker;
  readonly bench: Bench;
  openWindow(): AppWindow;
}

/** Answers what pages ask. */
function servePages(ipc: TrustedIpc, served: Served): void {
  const { windows, files, lastFolder, recent, native, comparisonCopies, unpacked, replicas, bench } = served;
  serveDocuments(ipc, served.documents);
  servePrinting(ipc);
  serveDialogs(ipc, files, lastFolder, recent);
  serveClipboard(ipc);
  serveFiles(ipc, served);
  serveComparisonCopies(ipc, files, comparisonCopies, native);
  serveUnpacked(ipc, files, unpacked, native);
  serveGit(ipc, unpacked, native);
  serveRemote(ipc, windows, served.remote);
  serveExtensions(ipc, served.extensions, served.inPlace, lastFolder);
  serveReplicas(ipc, replicas, native, lastFolder);
  serveSettings(ipc, served);
  serveAssistants(ipc, served);
  serveTextFiles(ipc, windows, files, served.textFiles);
  serveBench(ipc, windows, bench, native);
  serveMenu(ipc, served);
  serveWindows(ipc, {
    broker: served.broker,
    openWindow: () => void served.openWindow(),
    loaded(window) {
      for (const engine of [native, served.remote]) engine.forget(window);
      for (const temporary of [comparisonCopies, unpacked, replicas]) temporary.removeAllOf(window);
      bench.end(window);
    },
  });
}

/** What was ordered of this start. */
function carryOut(
  order: ParentOrder | null,
  job: OrderedJob | null,
  { first, native }: { readonly first: AppWindow; readonly native: NativeEngine },
): void {
  if (order) quitWithParent();
  if (order?.order === 'report-start') reportStart(first, native);
  if (job) endWithWindow(first, job);
}

/** An ordered job has no user to ask whether to continue. */
function endWithWindow({ browserWindow }: AppWindow, job: OrderedJob): void {
  browserWindow.webContents.once('render-process-gone', (_event, { reason }) =>
    job.finish({ failure: `The window that ran the benchmark closed (${reason}).` }),
  );
}

/** On macOS an app stays running without windows. */
function quitWithLastWindow(): boolean {
  if (process.platform === 'darwin') return false;
  app.quit();
  return true;
}
