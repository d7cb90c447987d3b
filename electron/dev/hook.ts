// Loaded by `npm run dev` before the app's own main file: the window comes from the development server, and parts of the app restart when
// their code has changed. Not part of the product: the app has no switch that would load it.
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { app, session, utilityProcess, webContents } from 'electron';
import type { ForkOptions, ProtocolRequest, ProtocolResponse, UtilityProcess, WebContents } from 'electron';
import { DEV_EVENTS_PATH, DEV_SERVER_VARIABLE, INSPECT_NATIVE_VARIABLE } from '#shared/dev-link.ts';
import type { DevEvent } from '#shared/dev-link.ts';
import { APP_PAGE, APP_SCHEME, HOST_PAGE } from '../app-scheme/resolve-path.ts';
import { isFromDevServer, replyFromDevServer } from './dev-reply.ts';

const server = process.env[DEV_SERVER_VARIABLE];
const NATIVE_SCRIPT = /[\\/]native\.[cm]js$/;

/** Running processes of the native engine. */
const native = new Set<UtilityProcess>();

if (server !== undefined) {
  // Registered before main's own listener, so that main registers its scheme through this wrapper.
  void app.whenReady().then(() => serveWindowFrom(server));
  noteNativeProcesses();
  followEvents(server);
}

/** Wraps both Electron APIs for serving a scheme, of the session that the pages have; `compat.ts` says which version has which. */
function serveWindowFrom(from: string): void {
  const { protocol } = session.defaultSession;
  const { handle } = protocol as Partial<typeof protocol>;
  if (handle !== undefined)
    protocol.handle = (scheme, handler) =>
      handle.call(protocol, scheme, async (request) => {
        if (scheme !== APP_SCHEME || !isFromDevServer(request.url)) return await handler(request);
        const { status, headers, body } = await replyFromDevServer(from, request.url);
        return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
      });
  const old = protocol as unknown as {
    registerBufferProtocol?: (scheme: string, handler: BufferHandler) => void;
  };
  const register = old.registerBufferProtocol;
  if (handle !== undefined || register === undefined) return;
  old.registerBufferProtocol = (scheme, handler) =>
    register.call(protocol, scheme, (request, done) => {
      if (scheme !== APP_SCHEME || !isFromDevServer(request.url)) return handler(request, done);
      void replyFromDevServer(from, request.url).then(({ status, headers, body }) =>
        done({
          statusCode: status,
          headers,
          mimeType: headers['Content-Type'] ?? 'text/plain',
          data: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        }),
      );
    });
}

type BufferHandler = (request: ProtocolRequest, done: (reply: ProtocolResponse) => void) => void;

/** Starts native processes with a port for a debugger, if `npm run dev` has been asked for one. */
function noteNativeProcesses(): void {
  const port = process.env[INSPECT_NATIVE_VARIABLE];
  const inspect = port === undefined ? [] : [`--inspect=127.0.0.1:${port}`];
  const { fork } = utilityProcess;
  utilityProcess.fork = (script: string, args?: string[], options?: ForkOptions) => {
    if (!NATIVE_SCRIPT.test(script)) return fork(script, args, options);
    const child = fork(script, args, { ...options, execArgv: [...(options?.execArgv ?? []), ...inspect] });
    native.add(child);
    child.once('exit', () => native.delete(child));
    return child;
  };
}

function followEvents(from: string): void {
  const request = get(from + DEV_EVENTS_PATH, (response) =>
    createInterface({ input: response }).on('line', (line) => startAgain(line as DevEvent)),
  );
  // `npm run dev` has ended, and the app quits with it.
  request.on('error', () => undefined);
}

function startAgain(event: DevEvent): void {
  switch (event) {
    case 'main':
      return app.quit();
    case 'windows':
      for (const contents of pages(APP_PAGE)) contents.reload();
      return;
    case 'host':
      for (const contents of pages(HOST_PAGE)) void loadHostAnew(contents);
      return;
    case 'native':
      // Has the same effect as a restart by the user: main starts the next one at once.
      for (const child of native) child.kill();
  }
}

function pages(address: string): WebContents[] {
  return webContents.getAllWebContents().filter((contents) => contents.getURL().startsWith(address));
}

/**
 * In Electron 22 the page's process dies with its worker, and main would count that as a crash and soon ask the user. Loading another page
 * in between gives it another process by then.
 */
async function loadHostAnew(contents: WebContents): Promise<void> {
  await contents.loadURL('data:text/html,<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">');
  await contents.loadURL(HOST_PAGE);
}
