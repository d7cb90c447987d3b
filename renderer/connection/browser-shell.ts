// The shell functions a plain browser tab supports: file inputs, downloads, the page's own title and clipboard.
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { BENCH_PORT_TAG } from '#shared/bench/shell.ts';
import type { BenchMachine } from '#shared/bench/shell.ts';
import { HostTag } from '#shared/host-tags.ts';
import { DATABASE_EXTENSIONS, IMPORTED_EXTENSIONS } from '#shared/import-formats.ts';
import type { FileKind, OpenedFile, ShellApi, TextFileShell } from '#shared/shell-api.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import { TEXT_FILE_BYTES, type TextFileReply, type TextFileSaved } from '#shared/text-files.ts';
import { browserSettings } from './browser-settings.ts';
import {
  addDownload,
  addFile,
  contentOfFile,
  takeTogether,
  chosenFile,
  download,
  forgetFile,
  takeDownload,
} from './web-files.ts';

// Text files of SQL tabs in a plain browser: files on disk where the browser has the File System Access API, otherwise files that were read once
// and are saved as downloads. After a reload the page no longer has its files.

/** wicg.github.io/file-system-access: Chromium has it, in pages that are not in another origin's frame. */
interface Pickers {
  showOpenFilePicker?(options: object): Promise<readonly FileSystemFileHandle[]>;
  showSaveFilePicker?(options: object): Promise<FileSystemFileHandle>;
}

const TYPES = [{ description: 'SQL files', accept: { 'application/sql': ['.sql'] } }];
const GONE = 'A browser does not remember files across a reload. Save the text under a name, or open the file again.';

/** Handles of files on disk. A file without one was chosen or dropped, and can be read but not written. */
const handles = new Map<FileToken, FileSystemFileHandle>();
const names = new Map<FileToken, string>();

const webTextFiles: TextFileShell = {
  async choose() {
    const { showOpenFilePicker } = window as Pickers;
    if (!showOpenFilePicker) return chooseByInput();
    const chosen = await unlessCanceled(showOpenFilePicker({ types: TYPES, multiple: true }));
    return Promise.all((chosen ?? []).map(openedOf));
  },

  async chooseTarget(suggestedName) {
    const { showSaveFilePicker } = window as Pickers;
    if (!showSaveFilePicker) return addDownload(suggestedName);
    const handle = await unlessCanceled(showSaveFilePicker({ types: TYPES, suggestedName }));
    return handle && openedOf(handle);
  },

  async open(token) {
    const handle = handles.get(token);
    // A file on disk keeps its token for as long as the page lives.
    if (handle) return read(token, null);
    const file = chosenFile(token);
    if (file.size > TEXT_FILE_BYTES) return tooBig(file.name);
    const bytes = new Uint8Array(await file.arrayBuffer());
    names.set(token, file.name);
    forgetFile(token);
    return replyOf(token, file.name, bytes, null);
  },

  read,

  async save(token, bytes, expected) {
    const handle = handles.get(token);
    if (!handle) {
      const name = names.get(token);
      if (name === undefined) return { why: GONE, isConflict: false };
      download(name, bytes);
      return savedOf(token, name, bytes);
    }
    const now = await read(token, null);
    if (now.found === 'file' && expected !== null && now.content !== expected)
      return { why: `“${handle.name}” was changed by another program, so it was not replaced.`, isConflict: true };
    return write(token, handle, bytes);
  },

  async saveAs(target, bytes) {
    const handle = handles.get(target);
    if (handle) return write(target, handle, bytes);
    const name = takeDownload(target);
    if (name === null) return { why: GONE, isConflict: false };
    names.set(target, name);
    download(name, bytes);
    return savedOf(target, name, bytes);
  },

  follow: () => Promise.resolve(),
  onTouched: () => undefined,
};

async function openedOf(handle: FileSystemFileHandle): Promise<OpenedFile> {
  for (const [token, known] of handles) if (await known.isSameEntry(handle)) return { token, fileName: handle.name };
  const { token } = addFile(await handle.getFile()); // for the worker, if the user imports the file instead of editing it
  handles.set(token, handle);
  return { token, fileName: handle.name };
}

async function read(token: FileToken, known: string | null): Promise<TextFileReply> {
  const handle = handles.get(token);
  if (!handle) return names.has(token) ? unchanged(token, known) : { found: 'missing', why: GONE };
  try {
    const file = await handle.getFile();
    if (file.size > TEXT_FILE_BYTES) return tooBig(file.name);
    return await replyOf(token, file.name, new Uint8Array(await file.arrayBuffer()), known);
  } catch (thrown) {
    const isMissing = thrown instanceof DOMException && thrown.name === 'NotFoundError';
    return isMissing
      ? { found: 'missing', why: `“${handle.name}” no longer exists: it was moved, renamed, or deleted.` }
      : { found: 'unreadable', why: `“${handle.name}” could not be read.` };
  }
}

/** A file that was read once stays as it was. */
function unchanged(token: FileToken, known: string | null): TextFileReply {
  const name = names.get(token)!;
  const file = { token, fileName: name, displayPath: name };
  return known === null ? { found: 'missing', why: GONE } : { found: 'file', file, content: known, bytes: null };
}

async function replyOf(
  token: FileToken,
  fileName: string,
  bytes: Uint8Array,
  known: string | null,
): Promise<TextFileReply> {
  const { file, content } = await savedOf(token, fileName, bytes);
  return { found: 'file', file, content, bytes: content === known ? null : bytes };
}

async function write(token: FileToken, handle: FileSystemFileHandle, bytes: Uint8Array): Promise<TextFileSaved> {
  try {
    // The browser replaces the file when the stream is closed, not before.
    const stream = await handle.createWritable();
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
    await stream.close();
    return await savedOf(token, handle.name, bytes);
  } catch {
    return { why: `“${handle.name}” was not written: the browser does not allow it.`, isConflict: false };
  }
}

async function savedOf(
  token: FileToken,
  fileName: string,
  bytes: Uint8Array,
): Promise<Extract<TextFileSaved, { content: string }>> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  const content = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { file: { token, fileName, displayPath: fileName }, content };
}

const tooBig = (fileName: string): TextFileReply => ({
  found: 'too-big',
  why: `“${fileName}” is larger than ${TEXT_FILE_BYTES / 1024 / 1024} MB, which is more than the editor can hold. Import it instead.`,
});

function chooseByInput(): Promise<readonly OpenedFile[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.sql';
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])].map(addFile)), { once: true });
    input.addEventListener('cancel', () => resolve([]), { once: true });
    input.click();
  });
}

/** Null if the user has canceled. */
async function unlessCanceled<T>(picked: Promise<T>): Promise<T | null> {
  try {
    return await picked;
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  }
}

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

const NO_EXTENSIONS = 'A browser cannot load extensions. Use the desktop app.';
const NO_PROGRAMS = 'A browser cannot run other programs. Use the desktop app.';

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
  contentOf: contentOfFile,
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
  unpacked: {
    create: () => Promise.resolve({ why: 'A browser cannot open archives. Unpack the file first.' }),
    open: () => Promise.resolve(null),
    discard: () => Promise.resolve(),
  },
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
  extensions: {
    add: () => Promise.resolve({ why: NO_EXTENSIONS }),
    approve: () => Promise.resolve({ why: NO_EXTENSIONS }),
    remove: () => Promise.resolve({ why: NO_EXTENSIONS }),
    retry: () => Promise.resolve({ why: NO_EXTENSIONS }),
    trustSchema: () => Promise.resolve({ why: NO_EXTENSIONS }),
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
  // Never asked: a browser opens no file in place.
  git: {
    isInRepository: () => Promise.resolve(false),
    commits: () => Promise.resolve({ commits: [] }),
    open: () => Promise.resolve({ why: NO_PROGRAMS }),
    stop: () => Promise.resolve(),
  },
  assistants: {
    begin: () => Promise.resolve([]),
    onChanged: () => undefined,
    read: () => Promise.resolve(null),
    settle: () => Promise.resolve(false),
    end: () => Promise.resolve(),
    serverOf: () => Promise.resolve(null),
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
