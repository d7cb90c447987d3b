// A proxy in front of a test server, in a thread of its own, because the thread of a test is blocked while an engine waits.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { freePort } from '../free-port.ts';
import { ProxyControls } from './proxy-controls.ts';
import type { SqldOptions } from './start-sqld.ts';

export interface Proxy {
  /** Address of a namespace; '-' is the default one. */
  url(namespace: string): string;
  readonly controls: ProxyControls;
  end(): Promise<void>;
}

/**
 * @param admin port of the server's administrator, where namespaces are created
 * @param restart how to start the server again once it was killed
 */
export async function startProxy(target: number, admin: number, restart: SqldOptions): Promise<Proxy> {
  const port = await freePort();
  const controls = new ProxyControls();
  const thread = new Worker(new URL('proxy-thread.ts', import.meta.url), {
    workerData: { target, admin, port, words: controls.words, restart },
  });
  await once(thread, 'message');
  return {
    url: (namespace) => `http://127.0.0.1:${port}/${namespace}/`,
    controls,
    end: async () => void (await thread.terminate()),
  };
}
