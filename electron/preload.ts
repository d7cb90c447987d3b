// What a window's page may ask of main, and nothing else: `window.sidelite`. No logic, and no Electron object ever reaches the page.
import { contextBridge, ipcRenderer } from 'electron';
import type { OpenedFile, ShellApi } from '#shared/shell-api.ts';
import { pathOfFile } from './compat.ts';
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

const api: ShellApi = {
  windowInfo: () => ask('window.info'),
  connect: () => say('window.connect'),
  chooseFiles: (kind) => ask('dialog.chooseFiles', kind),
  chooseSaveTarget: (suggestedName) => ask('dialog.chooseSaveTarget', suggestedName),
  fileFromDrop: (file): Promise<OpenedFile | null> => {
    const path = file instanceof File ? pathOfFile(file) : '';
    return path === '' ? Promise.resolve(null) : ask('file.dropped', path);
  },
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
  onMenuCommand: (listener) => listen('menu.chosen', listener),
  setEnabledCommands: (commandIds) => say('menu.enable', commandIds),
  onBeforeClose: (listener) => void (save = listener),
  setTitle: (title) => say('window.setTitle', title),
  newWindow: () => say('window.new'),
  closeWindow: () => say('window.close'),
  revealSource: (sourceId) => ask('file.revealSource', sourceId),
  followSources: (sourceIds) => say('source.follow', sourceIds),
  onSourceTouched: (listener) => listen('source.touched', listener),
  openExternal: (url) => ask('link.openExternal', url),
  writeClipboard: async (text) => void (await ask('clipboard.write', text)),
  readClipboard: () => ask('clipboard.read'),
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
