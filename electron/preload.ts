// What a window's page may ask of main, and nothing else: `window.sidelite`. No logic, and no Electron object ever reaches the page.
import { contextBridge, ipcRenderer } from 'electron';
import type { DroppedFile, ShellApi } from '#shared/shell-api.ts';
import { pathOfFile } from './compat.ts';
import { followUse, isUsed, noteUse } from './page-use.ts';
import { BENCH_PORT, NATIVE_PORTS, WINDOW_PORTS } from './ipc/channels.ts';
import type { Notice, Pushes, Requests } from './ipc/channels.ts';

const ask = <K extends keyof Requests>(channel: K, argument?: unknown): Promise<Requests[K]> =>
  ipcRenderer.invoke(channel, argument) as Promise<Requests[K]>;
const say = (notice: Notice, argument?: unknown): void => ipcRenderer.send(notice, argument);
const listen = <K extends keyof Pushes>(channel: K, listener: (value: Pushes[K]) => void): void => {
  ipcRenderer.on(channel, (_event, value: Pushes[K]) => listener(value));
};

for (const channel of [WINDOW_PORTS, NATIVE_PORTS, BENCH_PORT])
  ipcRenderer.on(channel, (event, message: unknown) => {
    window.postMessage(message, location.origin, event.ports);
  });

let save: (() => Promise<void>) | null = null;
listen('window.flush', () => {
  const flushed = (): void => say('window.flushed');
  void Promise.resolve(save?.()).then(flushed, flushed);
});

// The browser vouches for the drop and for where its files are; a page gets neither by making up events or files.
let dropped: ((files: readonly DroppedFile[]) => void) | null = null;
const takeDropped = async (files: readonly File[]): Promise<void> => {
  const opened = await ask('file.dropped', files.map(pathOfFile));
  dropped?.(files.map(({ name }, index) => ({ name, file: opened[index] ?? null })));
};
window.addEventListener(
  'drop',
  ({ isTrusted, dataTransfer }) => {
    if (isTrusted && dataTransfer && dataTransfer.files.length > 0) void takeDropped([...dataTransfer.files]);
  },
  true,
);
followUse();

const api: ShellApi = {
  windowInfo: () => ask('window.info'),
  connect: () => say('window.connect'),
  chooseFiles: (kind) => ask('dialog.chooseFiles', kind),
  chooseSaveTarget: (suggestedName) => ask('dialog.chooseSaveTarget', suggestedName),
  onFilesDropped: (listener) => void (dropped = listener),
  openInPlace: (file) => ask('file.openInPlace', file),
  createTwin: () => ask('twin.create'),
  openTwin: (twin, name) => ask('twin.open', { twin, name }),
  removeTwin: (twin) => say('twin.remove', twin),
  twinSource: (sourceId) => ask('twin.source', sourceId),
  openFilesChoice: () => ask('files.getChoice'),
  setOpenFilesChoice: (choice) => say('files.setChoice', choice),
  onOpenRequest: (listener) => {
    listen('file.openRequested', listener);
    say('window.listensForFiles');
  },
  onMenuCommand: (listener) =>
    listen('menu.chosen', (commandId) => {
      noteUse(); // the page did not see the click
      listener(commandId);
    }),
  setEnabledCommands: (commandIds) => say('menu.enable', commandIds),
  onBeforeClose: (listener) => void (save = listener),
  setTitle: (title) => say('window.setTitle', title),
  newWindow: () => say('window.new'),
  closeWindow: () => say('window.close'),
  revealSource: (sourceId) => ask('file.revealSource', sourceId),
  followSources: (sourceIds) => say('source.follow', sourceIds),
  onSourceTouched: (listener) => listen('source.touched', listener),
  writeClipboard: async (text) => void (await ask('clipboard.write', text)),
  readClipboard: async () => (isUsed() ? ask('clipboard.read') : null),
  setTheme: (theme) => say('theme.set', theme),
  bench: {
    begin: () => ask('bench.begin'),
    open: (engine) => ask('bench.open', engine),
    end: () => say('bench.end'),
    onElsewhere: (listener) => {
      listen('bench.elsewhere', listener);
      say('bench.follow');
    },
    showElsewhere: () => say('bench.show'),
    machine: () => ask('bench.machine'),
    startApp: (order) => ask('bench.startApp', order),
    openWindow: () => ask('bench.openWindow'),
    closeWindow: () => say('bench.closeWindow'),
    joinWindow: () => say('bench.joinWindow'),
    memory: () => ask('bench.memory'),
    job: () => ask('bench.job'),
    tell: (progress) => say('bench.tell', progress),
    done: (outcome) => say('bench.done', outcome),
  },
};

contextBridge.exposeInMainWorld('sidelite', api);
