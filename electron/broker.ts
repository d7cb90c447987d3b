// Connects windows to the database host: makes the ports, and new ones after either side was reloaded.
import { MessageChannelMain } from 'electron';
import type { MessagePortMain, WebContents } from 'electron';
import { HostTag } from '#shared/host-tags.ts';
import { serve } from '#shared/rpc/server.ts';
import { PORTS_TAG } from '#shared/shell-api.ts';
import type { FileTokens } from './files/file-tokens.ts';
import { HOST_MESSAGE, WINDOW_PORTS } from './ipc/channels.ts';
import { mainPort } from './message-port.ts';
import type { AppWindow, AppWindows } from './windows/registry.ts';

export interface Broker {
  /** A host page with a new worker is ready: all windows need new ports. */
  hostReady(host: WebContents): void;
  hostGone(): void;
  /** Returns false if there is no host. */
  tellHost(message: object, ports: readonly MessagePortMain[]): boolean;
  /** A window is listening for its ports. It gets them now, or as soon as there is a host. */
  connect(window: AppWindow): void;
}

export function createBroker(windows: AppWindows, files: FileTokens): Broker {
  let host: WebContents | null = null;
  /** Counts the workers; ports of an older generation are dead. */
  let generation = 0;
  const listening = new WeakSet<AppWindow>();

  const join = (window: AppWindow): void => {
    if (!host) return; // listening windows get their ports when the host is ready
    const data = new MessageChannelMain();
    const control = new MessageChannelMain();
    host.postMessage(HOST_MESSAGE, { tag: HostTag.client, windowId: window.windowId }, [data.port2, control.port2]);
    window.browserWindow.webContents.postMessage(WINDOW_PORTS, { tag: PORTS_TAG, generation }, [
      data.port1,
      control.port1,
    ]);
  };

  return {
    hostReady(contents) {
      host = contents;
      generation++;
      const { port1, port2 } = new MessageChannelMain();
      serve(mainPort(port1), files.handlers, { info: null, session: null, onClose: () => void files.abortSinks() });
      host.postMessage(HOST_MESSAGE, { tag: HostTag.files }, [port2]);
      for (const window of windows.all) if (listening.has(window)) join(window);
    },
    hostGone: () => void (host = null),
    tellHost(message, ports) {
      host?.postMessage(HOST_MESSAGE, message, [...ports]);
      return host !== null;
    },
    connect(window) {
      listening.add(window);
      join(window);
    },
  };
}
