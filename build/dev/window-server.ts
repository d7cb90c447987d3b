// The development server of the window: Vite serves its modules one by one and replaces them in the running page. It also tells the app
// which part of it is to start again.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { NONCE_PLACEHOLDER } from '#shared/app-headers.ts';
import { DEV_EVENTS_PATH } from '#shared/dev-link.ts';
import type { DevEvent } from '#shared/dev-link.ts';
import react from '@vitejs/plugin-react';
import { createServer, mergeConfig, type InlineConfig, type Plugin } from 'vite';
import { freePort } from '../free-port.ts';
import { DIST, inRoot, ROOT } from '../paths.ts';
import { pageConfig } from '../targets.ts';

export interface WindowServer {
  /** Address in the form `http://127.0.0.1:PORT`. */
  readonly address: string;
  /** False while no app listens: one that is being started reads the new code anyway. */
  tell(event: DevEvent): boolean;
}

export async function startWindowServer(): Promise<WindowServer> {
  const port = await freePort();
  const listeners = new Set<ServerResponse>();
  // Vite's own HTTP server ends this process on SIGTERM, while the app is still saving.
  const http = createHttpServer();
  const { middlewares } = await createServer(
    mergeConfig(pageConfig('renderer', 'index.html', DIST), devConfig(http, port, listeners)),
  );
  http.on('request', middlewares).listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    address: `http://127.0.0.1:${port}`,
    tell(event) {
      for (const listener of listeners) listener.write(`${event}\n`);
      return listeners.size > 0;
    },
  };
}

function devConfig(http: Server, port: number, listeners: Set<ServerResponse>): InlineConfig {
  return {
    appType: 'mpa',
    cacheDir: inRoot('dist', 'dev', 'modules'),
    html: { cspNonce: NONCE_PLACEHOLDER },
    plugins: [react({ jsxImportSource: '#jsx' }), withoutJsxPackage(), devEvents(listeners)],
    server: {
      middlewareMode: true,
      fs: { allow: [ROOT] },
      // The page is `app://shell`, which says nothing about where the server is.
      hmr: { server: http, protocol: 'ws', host: '127.0.0.1', clientPort: port },
    },
  };
}

/** Our JSX runtime is a file of the repository: there is no package to bundle ahead. */
function withoutJsxPackage(): Plugin {
  return {
    name: 'sidelite:without-jsx-package',
    enforce: 'post',
    config(config) {
      const { optimizeDeps } = config;
      if (optimizeDeps?.include)
        optimizeDeps.include = optimizeDeps.include.filter((name) => !name.startsWith('#jsx/'));
    },
  };
}

function devEvents(listeners: Set<ServerResponse>): Plugin {
  return {
    name: 'sidelite:dev-events',
    configureServer(server) {
      server.middlewares.use(DEV_EVENTS_PATH, (_request, response: ServerResponse) => {
        response.writeHead(200, { 'Content-Type': 'text/plain' });
        response.flushHeaders();
        listeners.add(response);
        response.once('close', () => listeners.delete(response));
      });
    },
  };
}
