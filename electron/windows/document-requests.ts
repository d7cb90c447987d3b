// What pages of document windows may load.
import { DOCUMENT_SCHEME } from './document-scheme.ts';

/** Id of Chromium's own PDF viewer (chrome/common/extensions/extension_constants.h). */
const VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';
/** Scripts, styles, and fonts that Chromium contains. */
const RESOURCES = 'chrome://resources/';

/** A document that is open, the parts of the viewer, and what a page has in memory. None of them uses the network or the disk. */
export function isServedToDocuments(url: string, documents: ReadonlyMap<string, unknown>): boolean {
  if (url.startsWith(`${DOCUMENT_SCHEME}:`)) return documents.has(url);
  return [VIEWER, RESOURCES, 'blob:', 'data:'].some((start) => url.startsWith(start));
}
