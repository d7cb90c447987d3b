// Gets the two ports of this window: data, directly to the worker, and control, to the page that owns the worker.
import { HostTag } from '#shared/host-tags.ts';
import { domPort } from '#shared/rpc/port.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Port } from '#shared/rpc/port.ts';
import { serve } from '#shared/rpc/server.ts';
import { NATIVE_PORTS_TAG, PORTS_TAG, PROCESS_PORTS_TAG } from '#shared/shell-api.ts';
import { isDesktop, shell } from './shell.ts';
import { webFileHandlers } from './web-files.ts';

export interface HostPorts {
  readonly data: Port;
  readonly control: Port;
  /** Increases with each restart of the worker: state of earlier generations is invalid. */
  readonly generation: number;
}

/** Calls `onPorts` now and after every restart of the worker. */
export function connectHost(onPorts: (ports: HostPorts) => void): void {
  // The page shows a message instead: without isolation, no memory could be shared.
  if (!crossOriginIsolated) return;
  if (isDesktop) {
    hearPorts(PORTS_TAG, onPorts);
    shell.connect().catch(console.error);
  } else connectThroughIframe(onPorts);
}

/** Like {@link connectHost}, for the native engine: main sends its ports when the first file is opened in place. */
export function connectNative(onPorts: (ports: HostPorts) => void): void {
  if (isDesktop) hearPorts(NATIVE_PORTS_TAG, onPorts);
}

/**
 * Like {@link connectHost}, for all databases that a process of their own serves. @param onPorts also receives which database it is, and the
 * slot of the numbers of its process
 */
export function connectProcesses(onPorts: (ports: HostPorts, database: DatabaseId, slot: number) => void): void {
  if (!isDesktop) return;
  hearPorts(PROCESS_PORTS_TAG, (ports, { database, slot = 0 }) => {
    if (database !== undefined) onPorts(ports, database, slot);
  });
}

interface PortsMessage {
  readonly tag?: unknown;
  readonly generation: number;
  readonly database?: DatabaseId;
  readonly slot?: number;
}

function hearPorts(tag: string, onPorts: (ports: HostPorts, message: PortsMessage) => void): void {
  window.addEventListener('message', (event: MessageEvent<PortsMessage>) => {
    const [data, control] = event.ports;
    if (event.source !== window || event.data?.tag !== tag || !data || !control) return;
    onPorts({ data: domPort(data), control: domPort(control), generation: event.data.generation }, event.data);
  });
}

/** In a browser the page does main's part. */
function connectThroughIframe(onPorts: (ports: HostPorts) => void): void {
  const iframe = document.createElement('iframe');
  iframe.src = new URL('host.html', document.baseURI).href;
  iframe.hidden = true;
  iframe.title = 'Database host';
  let generation = 0;
  window.addEventListener('message', (event: MessageEvent<{ tag?: unknown }>) => {
    const host = iframe.contentWindow;
    if (!host || event.source !== host) return;
    if (event.data?.tag === HostTag.restarting) host.postMessage({ tag: HostTag.restartExpected }, location.origin);
    if (event.data?.tag !== HostTag.ready) return;
    const files = new MessageChannel();
    serve(domPort(files.port1), webFileHandlers, { info: null, session: null });
    host.postMessage({ tag: HostTag.files }, location.origin, [files.port2]);
    const data = new MessageChannel();
    const control = new MessageChannel();
    void shell.windowInfo().then(({ windowId }) => {
      host.postMessage({ tag: HostTag.client, windowId }, location.origin, [data.port2, control.port2]);
      onPorts({ data: domPort(data.port1), control: domPort(control.port1), generation: ++generation });
    });
  });
  document.body.append(iframe);
}
