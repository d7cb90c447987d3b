// The session of document windows: it reads the documents that main serves from memory and Chromium's own PDF viewer, and nothing else.
import { session } from 'electron';
import type { Session } from 'electron';
import { serveScheme } from '../compat.ts';
import type { SchemeReply } from '../compat.ts';
import { log } from '../crash.ts';
import { refuseDownloads } from '../security/navigation.ts';
import { denyPermissions } from '../security/permissions.ts';
import { isServedToDocuments } from './document-requests.ts';
import { DOCUMENT_SCHEME } from './document-scheme.ts';

/**
 * Partition of the documents. Kept on disk, because Electron's PDF viewer stays blank in a session in memory (electron#27121; corrected in
 * August 2026). Without a cache nothing of a document reaches the disk; data that the viewer stores is cleared with each window.
 */
export const DOCUMENTS_PARTITION = 'persist:documents';

/** @param documents the bytes of the documents that are open, by address */
export function documentSession(partition: string, documents: ReadonlyMap<string, Uint8Array>): Session {
  const own = session.fromPartition(partition, { cache: false });
  for (const guard of [denyPermissions, refuseDownloads]) guard(own);
  serveScheme(DOCUMENT_SCHEME, (method, url) => Promise.resolve(respond(documents, method, url)), own.protocol);
  own.webRequest.onBeforeRequest(({ url }, answer) => {
    const cancel = !isServedToDocuments(url, documents);
    if (cancel) log(`refused a request of a document for “${url.slice(0, 200)}”`);
    answer({ cancel });
  });
  return own;
}

/** More of a content policy would keep Chromium from embedding its viewer, whose own pages have their own. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'",
};

function respond(documents: ReadonlyMap<string, Uint8Array>, method: string, url: string): SchemeReply {
  const bytes = method === 'GET' ? documents.get(url) : undefined;
  return bytes
    ? { status: 200, headers: { ...HEADERS, 'Content-Type': 'application/pdf' }, body: bytes }
    : { status: 404, headers: { ...HEADERS, 'Content-Type': 'text/plain' }, body: new Uint8Array(0) };
}
