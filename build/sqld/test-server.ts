// A server behind the proxy, with as many databases as tests want.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { freePort } from '../free-port.ts';
import { ensureSqld } from './ensure-sqld.ts';
import { ProxyControls } from './proxy-controls.ts';
import { startSqld } from './start-sqld.ts';
import type { SqldOptions } from './start-sqld.ts';

export interface TestServer {
  /** URL of a database; a new one is created when it is first used. */
  url(database: string): string;
  readonly controls: ProxyControls;
  end(): Promise<void>;
}

/** `why`: it is not available here. */
export async function startTestServer(): Promise<TestServer | { readonly why: string }> {
  const sqld = await ensureSqld();
  if ('why' in sqld) return sqld;
  const [port, admin] = [await freePort(), await freePort()];
  // A database that has to make room for another while requests are on their way to it answers some of them with 404.
  const active = ['--max-active-namespaces', '2000'];
  const args = ['--enable-namespaces', ...active, '--admin-listen-addr', `127.0.0.1:${admin}`];
  const server = await startSqld({ program: sqld.program, port, args });
  const proxy = await startProxy(port, admin, { program: sqld.program, port, args, folder: server.folder });
  const { controls } = proxy;
  controls.server = server.processId;
  return {
    url: (database) => proxy.url(database),
    controls,
    async end() {
      // One that is being started again would be left behind.
      while (controls.server === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await proxy.end();
      if (controls.server !== server.processId) process.kill(controls.server, 'SIGKILL');
      await server.remove();
    },
  };
}

// A proxy in front of a test server, in a thread of its own, because the thread of a test is blocked while an engine waits.

interface Proxy {
  /** Address of a namespace; '-' is the default one. */
  url(namespace: string): string;
  readonly controls: ProxyControls;
  end(): Promise<void>;
}

/**
 * @param admin port of the server's administrator, where namespaces are created
 * @param restart how to start the server again once it was killed
 */
async function startProxy(target: number, admin: number, restart: SqldOptions): Promise<Proxy> {
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
