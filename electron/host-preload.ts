// The host page's only tie to main: passes ports in and the page's notices out.
import { ipcRenderer } from 'electron';
import { HostTag } from '#shared/host-tags.ts';
import { HOST_MESSAGE, HOST_NOTICE } from './ipc/channels.ts';

ipcRenderer.on(HOST_MESSAGE, (event, message: unknown) => {
  window.postMessage(message, location.origin, event.ports);
});

const NOTICES: readonly unknown[] = [HostTag.ready, HostTag.restarting, HostTag.settled];

window.addEventListener('message', (event: MessageEvent<{ readonly tag?: unknown } | null>) => {
  const tag = event.data?.tag;
  if (event.source === window && NOTICES.includes(tag)) ipcRenderer.send(HOST_NOTICE, tag);
});
