// `npm run web [port]`: serves the bundled app to a plain browser on this machine, under the same headers as in Electron.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { appHeaders, mimeTypeOf, NONCE_PLACEHOLDER } from '#shared/app-headers.ts';
import { ensureBundle } from './bundle.ts';
import { DIST_APP, inRoot } from './paths.ts';
import { command } from './tool.ts';

const DEFAULT_PORT = 4173;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const nonce = randomBytes(18).toString('base64');
  for (const [name, value] of Object.entries(appHeaders({ nonce, embedHost: true }))) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-cache');
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405);
  const file = fileOf(request.url ?? '/');
  const bytes = file && (await readFile(file).catch(() => null));
  if (!file || !bytes) return end(response, 404);
  response.setHeader('Content-Type', mimeTypeOf(file));
  const body = file.endsWith('.html') ? bytes.toString().replaceAll(NONCE_PLACEHOLDER, nonce) : bytes;
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(request.method === 'HEAD' ? undefined : body);
}

function end(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

/** The file a request names, or null when it names none inside the served folder. */
function fileOf(url: string): string | null {
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    // Browsers ask for it unasked.
    if (path === '/favicon.ico') return inRoot('build', 'icons', '32x32.png');
    const file = join(DIST_APP, path.endsWith('/') ? `${path}index.html` : path);
    return file.startsWith(DIST_APP + sep) && !file.includes('\0') ? file : null;
  } catch {
    return null;
  }
}

await command(import.meta, async ([argument]) => {
  await ensureBundle();
  const port = Number(argument ?? DEFAULT_PORT);
  const server = createServer((request, response) => void serve(request, response));
  await new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`${error.message}. Give another port: npm run web -- 4200`)));
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  console.log(`Sidelite is at http://localhost:${port}/ (Ctrl+C ends it)`);
  await once(server, 'close');
});
