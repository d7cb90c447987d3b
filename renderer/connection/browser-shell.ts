// The shell functions a plain browser tab supports: file inputs, downloads, the page's own title and clipboard.
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { BENCH_PORT_TAG } from '#shared/bench/shell.ts';
import type { BenchMachine } from '#shared/bench/shell.ts';
import { HostTag } from '#shared/host-tags.ts';
import { DATABASE_EXTENSIONS, IMPORTED_EXTENSIONS } from '#shared/import-formats.ts';
import type { FileKind, OpenedFile, ShellApi } from '#shared/shell-api.ts';
import { browserSettings } from './browser-settings.ts';
import { addDownload, addFile, isDatabaseFile, takeTogether } from './web-files.ts';
import { webTextFiles } from './web-text-files.ts';

/** One tab owns the library at a time, so one name is enough, and its state is restored after a reload. */
const WINDOW_ID = 'browser';

let beforeClose: (() => Promise<void>) | undefined;
window.addEventListener('pagehide', () => void beforeClose?.());

let dropped: Parameters<ShellApi['onFilesDropped']>[0] | undefined;
window.addEventListener('drop', ({ dataTransfer }) => {
  const files = takeTogether([...(dataTransfer?.files ?? [])]);
  if (files.length > 0) dropped?.(files.map((file) => ({ name: file.name, file: addFile(file) })));
});

const ACCEPTED = {
  json: '.json',
  rows: [...IMPORTED_EXTENSIONS, ...DATABASE_EXTENSIONS].map((extension) => `.${extension}`).join(','),
};

function chooseFiles(kind?: FileKind): Promise<readonly OpenedFile[]> {
  const input = document.createElement('input');
  input.type = 'file';
  if (kind === 'json' || kind === 'rows') input.accept = ACCEPTED[kind];
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(takeTogether([...(input.files ?? [])]).map(addFile)), {
      once: true,
    });
    input.addEventListener('cancel', () => resolve([]), { once: true });
    input.click();
  });
}

/** A page learns little about its machine. */
const MACHINE: BenchMachine = {
  appVersion: '',
  electron: null,
  v8: null,
  os: navigator.userAgent,
  cpu: 'unknown',
  cores: navigator.hardwareConcurrency,
  ramBytes: null,
  disk: null,
  diskFreeBytes: null,
  onBattery: null,
  commit: null,
};

const NO_SERVERS = 'A browser cannot keep a token safe from other pages. Connect to servers in the desktop app.';

const NO_PROGRAMS = 'A browser cannot run Litestream. Open replicas in the desktop app.';

const hostPage = (): Window | null =>
  document.querySelector<HTMLIFrameElement>('iframe[src$="host.html"]')?.contentWindow ?? null;

/** In a browser, the page does main's part here too. */
function openBench(engine: EngineId): string | null {
  if (engineOf(engine)?.runsIn !== 'worker') return 'Node.js engines require the desktop app.';
  const host = hostPage();
  if (!host) return 'The database engine is starting. Try again in a moment.';
  const { port1, port2 } = new MessageChannel();
  host.postMessage({ tag: HostTag.bench, engine }, location.origin, [port2]);
  window.postMessage({ tag: BENCH_PORT_TAG, engine }, location.origin, [port1]);
  return null;
}

async function writeClipboard(text: string, html?: string): Promise<void> {
  if (html === undefined) return navigator.clipboard.writeText(text);
  const blobs = {
    'text/plain': new Blob([text], { type: 'text/plain' }),
    'text/html': new Blob([html], { type: 'text/html' }),
  };
  await navigator.clipboard.write([new ClipboardItem(blobs)]);
}

export const browserShell: ShellApi = {
  windowInfo: () =>
    Promise.resolve({
      windowId: WINDOW_ID,
      windowTitle: 'This tab',
      platform: 'web',
      appVersion: '',
      electronVersion: '',
      chromiumVersion: /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? '',
      crashes: 0,
      noSandbox: null,
    }),
  connect: () => Promise.resolve(), // connect.ts makes the ports itself
  chooseFiles,
  chooseSaveTarget: (suggestedName) => Promise.resolve(addDownload(suggestedName)),
  chooseSaveFolder: () => Promise.resolve(null),
  onFilesDropped: (listener) => void (dropped = listener),
  isDatabase: isDatabaseFile,
  openInPlace: () =>
    Promise.resolve({ why: 'A browser cannot open files in place. Use the desktop app.', missing: false }),
  stopTrying: () => Promise.resolve(),
  createEncrypted: () => Promise.resolve({ why: 'Only the desktop app makes encrypted databases.', missing: false }),
  changeKey: () => Promise.resolve({ why: 'Only the desktop app changes passwords.' }),
  canRememberKeys: () => Promise.resolve(false),
  forgetKey: () => Promise.resolve(false),
  forgetInPlace: () => Promise.resolve(),
  createComparisonCopy: () =>
    Promise.resolve({ why: 'A browser has no native engine to compare with. Use the desktop app.' }),
  openComparisonCopy: () => Promise.resolve(null),
  removeComparisonCopy: () => Promise.resolve(),
  comparisonCopySource: () => Promise.resolve(null),
  onOpenRequest: () => Promise.resolve(),
  onMenuCommand: () => undefined,
  setCommandStates: () => Promise.resolve(),
  systemMenu: () => Promise.resolve({ recent: [], hasDevTools: false }), // never asked, and so for what follows
  chooseSystemEntry: () => Promise.resolve(),
  onAskedToClose: () => undefined,
  onBeforeClose: (listener) => void (beforeClose = listener),
  setTitle: async (title) => void (document.title = title),
  newWindow: () => Promise.resolve(),
  closeWindow: async () => window.close(),
  minimizeWindow: () => Promise.resolve(),
  maximizeWindow: () => Promise.resolve(),
  onWindowSize: () => Promise.resolve(),
  revealSource: () => Promise.resolve(false),
  revealSaved: () => Promise.resolve(false),
  followSources: () => Promise.resolve(),
  onSourceTouched: () => undefined,
  printToPdf: () => Promise.reject(new Error('A browser prints its own pages.')), // never asked
  showDocument: () => Promise.resolve(), // never asked: a browser tab cannot keep a document from the network
  writeClipboard,
  writeClipboardImage: (png) =>
    navigator.clipboard.write([
      new ClipboardItem({ 'image/png': new Blob([new Uint8Array(png)], { type: 'image/png' }) }),
    ]),
  readClipboard: () => navigator.clipboard.readText(),
  ...browserSettings,
  remote: {
    list: () => Promise.resolve({ connections: [], keepsTokens: false }),
    save: () => Promise.resolve({ why: NO_SERVERS }),
    remove: () => Promise.resolve(),
    test: () => Promise.resolve({ why: NO_SERVERS }),
    open: () => Promise.resolve(NO_SERVERS),
    onChanged: () => undefined,
  },
  replicas: {
    program: () => Promise.resolve({ why: NO_PROGRAMS }),
    chooseProgram: () => Promise.resolve(null),
    chooseFolder: () => Promise.resolve({ why: NO_PROGRAMS }),
    reachStorage: () => Promise.resolve({ why: NO_PROGRAMS }),
    moments: () => Promise.resolve({ why: NO_PROGRAMS }),
    restore: () => Promise.resolve({ why: NO_PROGRAMS }),
    written: () => Promise.resolve(0),
    stop: () => Promise.resolve(),
    leave: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  },
  textFiles: webTextFiles,
  bench: {
    // The tab that owns the library also owns the engines.
    begin: () => Promise.resolve(null),
    onElsewhere: () => Promise.resolve(),
    showElsewhere: () => Promise.resolve(),
    open: (engine) => Promise.resolve(openBench(engine)),
    close: async (engine) => hostPage()?.postMessage({ tag: HostTag.benchEnd, engine }, location.origin),
    end: async () => hostPage()?.postMessage({ tag: HostTag.benchEnd }, location.origin),
    machine: () => Promise.resolve(MACHINE),
    startApp: () => Promise.resolve({ why: 'A browser cannot start the app. Use the desktop app.' }),
    openWindow: () =>
      Promise.resolve('A browser cannot open a second window on the same library. Use the desktop app.'),
    closeWindow: () => Promise.resolve(),
    joinWindow: () => Promise.resolve(),
    takeFiles: () => Promise.resolve(),
    memory: () => Promise.resolve(null),
    job: () => Promise.resolve(null),
    tell: () => Promise.resolve(),
    done: () => Promise.resolve(),
  },
};
