// What a window's page may request of main, and nothing else: `window.sidelite`. Contains no logic, and no Electron object reaches the
// page.
import { contextBridge, ipcRenderer } from 'electron';
import { BENCH_WINDOW_HASH } from '#shared/bench/shell.ts';
import type { DroppedFile, ShellApi } from '#shared/shell-api.ts';
import { pathOfFile } from './compat.ts';
import { followUse, isUsed, noteUse } from './page-use.ts';
import { BENCH_PORT, PAGE_MESSAGE, ENGINE_PORTS, WINDOW_PORTS } from './ipc/channels.ts';
import type { PageMessages, Requests } from './ipc/channels.ts';

const UNHEARD = 'Sidelite could not do what this window requested. Try again; if that does not help, restart the app.';

const ask = <K extends keyof Requests>(channel: K, argument?: unknown): Promise<Requests[K]> =>
  (ipcRenderer.invoke(channel, argument) as Promise<Requests[K]>).catch(() => {
    throw new Error(UNHEARD); // main logs the reason
  });
const say = async (channel: keyof Requests, argument?: unknown): Promise<void> => void (await ask(channel, argument));

type Listener = (value: never) => unknown;
const listeners = new Map<string, Listener[]>();
/** Messages that arrived before the page registered a listener. */
const early = new Map<string, ((listener: Listener) => void)[]>();
const taken = new Set<number>();

function listen<K extends keyof PageMessages>(channel: K, listener: (value: PageMessages[K]) => unknown): void {
  listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
  for (const take of early.get(channel) ?? []) take(listener);
  early.delete(channel);
}

ipcRenderer.on(PAGE_MESSAGE, (_event, { id, channel, value }: { id: number; channel: string; value: never }) => {
  if (taken.has(id)) return; // a message may arrive twice: main cannot know which were sent before this page listened
  taken.add(id);
  const heard = listeners.get(channel);
  const deliver = (all: readonly Listener[]): void => {
    const done = (reply: unknown): void => void say('outbox.done', { id, reply }).catch(() => undefined);
    void Promise.allSettled(all.map(async (listener) => listener(value))).then(([first]) =>
      done(first?.status === 'fulfilled' ? first.value : undefined),
    );
  };
  if (heard) deliver(heard);
  else early.set(channel, [...(early.get(channel) ?? []), (listener) => deliver([listener])]);
});
// This must not happen earlier: while this script runs, the page is not committed yet, so main cannot tell which page a message is from,
// and Electron 22 treats the frame as disposed from then on.
window.addEventListener('DOMContentLoaded', () => void say('outbox.begin').catch(() => undefined));
// The window has no title bar of the system to close it with, so it must not need a script of the page for that.
window.addEventListener('DOMContentLoaded', () => {
  if (process.platform === 'darwin' || location.hash === BENCH_WINDOW_HASH) return;
  for (const part of document.querySelectorAll<HTMLElement>('.not-started')) part.hidden = false;
  document.querySelector('.not-started [data-closes]')?.addEventListener('click', () => void say('window.close'));
});

for (const channel of [WINDOW_PORTS, ENGINE_PORTS, BENCH_PORT])
  ipcRenderer.on(channel, (event, message: unknown) => {
    window.postMessage(message, location.origin, event.ports);
  });

/** A page that has nothing to save yet counts as saved. */
let save: () => Promise<void> = () => Promise.resolve();
listen('window.flush', () => save());
let namesLost: () => Promise<readonly string[]> = () => Promise.resolve([]);
listen('window.askedToClose', () => namesLost());

// The browser verifies the drop and the paths of its files; a page gets neither by making up events or files.
let dropped: ((files: readonly DroppedFile[]) => void) | null = null;
const takeDropped = async (files: readonly File[]): Promise<void> => {
  const opened = await ask('file.dropped', files.map(pathOfFile)).catch(() => []); // main reports each refused file
  if (opened) dropped?.(files.map(({ name }, index) => ({ name, file: opened[index] ?? null })));
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
  chooseSaveFolder: () => ask('dialog.chooseSaveFolder'),
  onFilesDropped: (listener) => void (dropped = listener),
  contentOf: ({ token }) => ask('file.contentOf', token),
  openInPlace: (file) => ask('file.openInPlace', file),
  stopTrying: () => say('file.stopTrying'),
  createEncrypted: (target, key) => ask('file.createEncrypted', { target, key }),
  changeKey: (locationId, key) => ask('file.changeKey', { locationId, key }),
  canRememberKeys: () => ask('file.canRememberKeys'),
  forgetKey: (locationId) => ask('file.forgetKey', locationId),
  forgetInPlace: (locationId) => say('file.forgetInPlace', locationId),
  createComparisonCopy: () => ask('comparisonCopy.create'),
  openComparisonCopy: (comparisonCopy, name) => ask('comparisonCopy.open', { comparisonCopy, name }),
  removeComparisonCopy: (comparisonCopy) => say('comparisonCopy.remove', comparisonCopy),
  comparisonCopySource: (locationId) => ask('comparisonCopy.source', locationId),
  unpacked: {
    create: () => ask('unpacked.create'),
    open: (unpacked, name, archive) => ask('unpacked.open', { unpacked, name, archive }),
    discard: (unpacked) => say('unpacked.discard', unpacked),
  },
  git: {
    isInRepository: (locationId) => ask('git.isInRepository', locationId),
    commits: (locationId) => ask('git.commits', locationId),
    open: (locationId, revision) => ask('git.open', { locationId, revision }),
    stop: () => say('git.stop'),
  },
  assistants: {
    begin: () => ask('assistant.begin'),
    onChanged: (listener) => listen('assistant.changed', listener),
    read: (proposal) => ask('assistant.read', proposal),
    settle: (proposal, state) => ask('assistant.settle', { proposal, state }),
    end: (session) => say('assistant.end', session),
    serverOf: (locationId) => ask('assistant.serverOf', locationId),
  },
  onOpenRequest: (listener) => {
    listen('file.openRequested', listener);
    return say('window.listensForFiles');
  },
  onMenuCommand: (listener) =>
    listen('menu.chosen', (commandId) => {
      noteUse(); // the page did not receive the click itself
      listener(commandId);
    }),
  setCommandStates: (enabled, checked) => say('menu.states', { enabled, checked }),
  systemMenu: () => ask('menu.system'),
  // Pasting reads the clipboard.
  chooseSystemEntry: async (id) => void (isUsed() && (await ask('menu.choose', id))),
  onAskedToClose: (listener) => void (namesLost = listener),
  onBeforeClose: (listener) => void (save = listener),
  setTitle: (title) => say('window.setTitle', title),
  newWindow: () => say('window.new'),
  closeWindow: () => say('window.close'),
  minimizeWindow: () => say('window.minimize'),
  maximizeWindow: () => say('window.maximize'),
  onWindowSize: (listener) => {
    listen('window.size', listener);
    return say('window.followSize');
  },
  revealSource: (locationId) => ask('file.revealSource', locationId),
  revealSaved: (token) => ask('file.revealSaved', token),
  followSources: (locationIds) => say('source.follow', locationIds),
  onSourceTouched: (listener) => listen('source.touched', listener),
  remote: {
    list: () => ask('remote.list'),
    save: (draft) => ask('remote.save', draft),
    remove: (database) => say('remote.remove', database),
    test: (draft) => ask('remote.test', draft),
    open: (database) => ask('remote.open', database),
    onChanged: (listener) => listen('remote.changed', listener),
  },
  extensions: {
    add: (locationId) => ask('extension.add', locationId),
    approve: (locationId, id) => ask('extension.approve', { locationId, id }),
    remove: (locationId, id) => ask('extension.remove', { locationId, id }),
    retry: (locationId) => ask('extension.retry', locationId),
    trustSchema: (locationId, trusts) => ask('extension.trustSchema', { locationId, trusts }),
  },
  replicas: {
    program: () => ask('replica.program'),
    chooseProgram: () => ask('replica.chooseProgram'),
    chooseFolder: () => ask('replica.chooseFolder'),
    reachStorage: (draft) => ask('replica.reachStorage', draft),
    moments: (replica) => ask('replica.moments', replica),
    restore: (replica, txid) => ask('replica.restore', { replica, txid }),
    written: (replica) => ask('replica.written', replica),
    stop: (replica) => say('replica.stop', replica),
    leave: (replica) => say('replica.leave', replica),
    discard: (database) => say('replica.discard', database),
  },
  showDocument: (document) => say('document.show', document),
  printToPdf: (pages) => ask('print.toPdf', pages),
  writeClipboard: async (...textAndHtml) => void (await ask('clipboard.write', textAndHtml)),
  writeClipboardImage: async (png) => void (await ask('clipboard.writeImage', png)),
  readClipboard: async () => (isUsed() ? ask('clipboard.read') : null),
  settings: () => ask('settings.get'),
  changeSettings: (change) => ask('settings.change', change),
  importSettings: () => ask('settings.import'),
  exportSettings: () => ask('settings.export'),
  revealSettings: () => say('settings.reveal'),
  onSettingsChanged: (listener) => listen('settings.changed', listener),
  textFiles: {
    choose: () => ask('dialog.chooseFiles', 'sql'),
    chooseTarget: (suggestedName) => ask('dialog.chooseSaveTarget', suggestedName),
    open: (token) => ask('textFile.open', token),
    read: (token, known) => ask('textFile.read', { token, known }),
    save: (token, bytes, expected) => ask('textFile.save', { token, bytes, expected }),
    saveAs: (token, bytes) => ask('textFile.saveAs', { token, bytes }),
    follow: (tokens) => say('textFile.follow', tokens),
    onTouched: (listener) => listen('textFile.touched', listener),
  },
  bench: {
    begin: () => ask('bench.begin'),
    open: (engine) => ask('bench.open', engine),
    close: (engine) => say('bench.close', engine),
    end: () => say('bench.end'),
    onElsewhere: (listener) => {
      listen('bench.elsewhere', listener);
      return say('bench.follow');
    },
    showElsewhere: () => say('bench.show'),
    machine: () => ask('bench.machine'),
    startApp: (order) => ask('bench.startApp', order),
    openWindow: () => ask('bench.openWindow'),
    closeWindow: () => say('bench.closeWindow'),
    joinWindow: () => say('bench.joinWindow'),
    takeFiles: () => say('bench.takeFiles'),
    memory: () => ask('bench.memory'),
    job: () => ask('bench.job'),
    tell: (progress) => say('bench.tell', progress),
    done: (outcome) => say('bench.done', outcome),
  },
};

contextBridge.exposeInMainWorld('sidelite', api);
