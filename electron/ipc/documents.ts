// Documents that a page asks to show in a window of their own.
import * as v from 'valibot';
import { MAX_DOCUMENT_BYTES } from '#shared/documents.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import type { DocumentWindows } from '../windows/document-windows.ts';

const MAX_TITLE = 1000;
const DOCUMENT = v.object({
  title: v.pipe(v.string(), v.maxLength(MAX_TITLE)),
  bytes: v.pipe(
    v.instance(Uint8Array),
    v.check(({ length }) => length <= MAX_DOCUMENT_BYTES),
  ),
});

export function serveDocuments({ answer }: TrustedIpc, documents: DocumentWindows): void {
  answer('document.show', (window, document) => documents.open(window, v.parse(DOCUMENT, document)));
}
