// Addresses of documents, each with a host of its own, which separates one document from another.
import { randomUUID } from 'node:crypto';

export const DOCUMENT_SCHEME = 'document';

/** The viewer shows the last part of the address, which is why it has the title. */
export function documentAddress(title: string): string {
  // Goes through UTF-8, because half of a surrogate pair cannot be encoded.
  const name = encodeURIComponent(Buffer.from(title).toString());
  return new URL(`${DOCUMENT_SCHEME}://${randomUUID()}/${name}.pdf`).href;
}
