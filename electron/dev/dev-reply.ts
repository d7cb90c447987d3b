// Serves a page of the app from the development server instead of the bundle, with headers that also allow hot reload.
import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { appHeaders, NONCE_PLACEHOLDER } from '#shared/app-headers.ts';
import type { SchemeReply } from '../compat.ts';

/** The host page and the files it loads are bundled, as in the product; all other files belong to the window. */
export function isFromDevServer(address: string): boolean {
  return !/^\/(host\.html|assets\/|third-party\/)/.test(new URL(address).pathname);
}

/** @param server the URL of the development server. An unreachable server also yields a reply. */
export async function replyFromDevServer(server: string, address: string): Promise<SchemeReply> {
  const { pathname, search } = new URL(address);
  const nonce = randomBytes(18).toString('base64');
  const headers = devHeaders(server, nonce);
  try {
    const { status, type, bytes } = await fetchFrom(server + pathname + search);
    const isPage = type.startsWith('text/html');
    const body = isPage ? Buffer.from(bytes.toString().replaceAll(NONCE_PLACEHOLDER, nonce)) : bytes;
    return { status, headers: { ...headers, 'Content-Type': type }, body };
  } catch (error) {
    const body = Buffer.from(`The development server did not answer: ${String(error)}`);
    return { status: 502, headers: { ...headers, 'Content-Type': 'text/plain' }, body };
  }
}

/** The product's own policy with two exceptions: the inline script of React Refresh, and the socket that announces changes. */
export function devHeaders(server: string, nonce: string): Record<string, string> {
  const headers = appHeaders({ nonce, embedHost: false });
  const policy = headers['Content-Security-Policy']!.replace(
    "script-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
  ).replace("connect-src 'self'", `connect-src 'self' ${server.replace(/^http/, 'ws')}`);
  return { ...headers, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' };
}

interface Fetched {
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Electron 24 added `fetch` to main. */
function fetchFrom(url: string): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    const request = get(url, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 500,
          type: response.headers['content-type'] ?? 'text/plain',
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    request.on('error', reject);
  });
}
