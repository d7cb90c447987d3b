// Serves the app's own files under app://shell with the headers that isolate and confine its pages.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import type { Session } from 'electron';
import { appHeaders, mimeTypeOf, NONCE_PLACEHOLDER } from '#shared/app-headers.ts';
import { serveScheme } from '../compat.ts';
import type { SchemeReply } from '../compat.ts';
import { DOCUMENT_SCHEME } from '../windows/document-scheme.ts';
import { APP_SCHEME, resolveAppPath, resolveThirdPartyPath } from './resolve-path.ts';

/** Call before the app is ready, and only once. Old versions ignore `codeCache`. */
export function declareSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    { scheme: DOCUMENT_SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/** `added`: a folder in which the user may have put a `third-party` folder, since the packaged app has none. */
export function serveAppScheme(pages: Session, root: string, added: string | null): void {
  serveScheme(APP_SCHEME, (method, url) => respond({ root, added }, method, url), pages.protocol);
}

interface Served {
  readonly root: string;
  readonly added: string | null;
}

async function respond({ root, added }: Served, method: string, url: string): Promise<SchemeReply> {
  const nonce = randomBytes(18).toString('base64');
  const headers = appHeaders({ nonce, embedHost: false });
  const nothing = new Uint8Array(0);
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers, body: nothing };
  const file = resolveAppPath(root, url);
  const thirdParty = added === null ? null : resolveThirdPartyPath(added, url);
  const bytes = file === null ? null : await readFile(thirdParty ?? file).catch(() => null);
  if (file === null || bytes === null)
    return { status: 404, headers: { ...headers, 'Content-Type': 'text/plain' }, body: nothing };
  const page = file.endsWith('.html');
  const body = page ? Buffer.from(bytes.toString().replaceAll(NONCE_PLACEHOLDER, nonce)) : bytes;
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': mimeTypeOf(file) },
    body: method === 'HEAD' ? nothing : body,
  };
}
