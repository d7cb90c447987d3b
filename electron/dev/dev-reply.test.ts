import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { devHeaders, isFromDevServer, replyFromDevServer } from './dev-reply.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function serve(type: string, text: string): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/nothing.ts' ? 404 : 200, { 'Content-Type': type });
    response.end(`${request.url}: ${text}`);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('the host page and what is bundled come from the bundle, the window from the development server', () => {
  const bundled = ['host.html', 'assets/worker-1a2b.js', 'third-party/sql.js/a.wasm'];
  const served = ['index.html', 'main.tsx?t=1', '@vite/client', '@fs/x/assets/a.ts', 'assets.ts'];
  expect([...bundled, ...served].filter((path) => isFromDevServer(`app://shell/${path}`))).toEqual(served);
});

it('the policy allows the nonce and the socket of the server, and nothing else more than in the product', () => {
  const policy = devHeaders('http://127.0.0.1:5000', 'n0nce')['Content-Security-Policy']!.split('; ');
  expect(policy).toContain("script-src 'self' 'nonce-n0nce' 'wasm-unsafe-eval'");
  expect(policy).toContain("connect-src 'self' ws://127.0.0.1:5000");
  expect(policy.filter((rule) => rule.includes('unsafe-inline') || rule.includes("'unsafe-eval'"))).toEqual([]);
});

it('a page gets the nonce of its own policy', async () => {
  const server = await serve('text/html', '<script nonce="__CSP_NONCE__">');
  const { status, headers, body } = await replyFromDevServer(server, 'app://shell/index.html?x');
  const nonce = /'nonce-([^']+)'/.exec(headers['Content-Security-Policy']!)![1];
  expect({ status, text: Buffer.from(body).toString() }).toEqual({
    status: 200,
    text: `/index.html?x: <script nonce="${nonce}">`,
  });
});

it('passes on what is missing, and says when the server is gone', async () => {
  const server = await serve('text/javascript', 'x');
  expect((await replyFromDevServer(server, 'app://shell/nothing.ts')).status).toBe(404);
  servers.pop()!.close();
  const gone = await replyFromDevServer('http://127.0.0.1:1', 'app://shell/main.tsx');
  expect(gone.status).toBe(502);
  expect(Buffer.from(gone.body).toString()).toContain('did not answer');
});
