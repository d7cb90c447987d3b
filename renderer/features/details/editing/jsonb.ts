// Blobs that may be JSONB (sqlite.org/json1.html#jsonb): recognized by their header, and confirmed by SQLite.
import { useEffect, useState } from 'react';
import type { DatabaseId, Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';

/** Not more is shown at once. */
const MAX_BYTES = 1024 * 1024;
const LAST_ELEMENT_TYPE = 12;
/** Payload sizes from here on are stored in the 1, 2, 4, or 8 bytes after the first. */
const SIZE_FOLLOWS = 12;

/** Whether the size in the first bytes matches the length (sqlite.org/jsonb.html). */
export function mayBeJsonb(value: Value): value is Uint8Array {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > MAX_BYTES) return false;
  const type = value[0]! & 15;
  const size = value[0]! >> 4;
  if (type > LAST_ELEMENT_TYPE) return false;
  if (size < SIZE_FOLLOWS) return value.length === size + 1;
  const sizeBytes = 2 ** (size - SIZE_FOLLOWS);
  let payload = 0;
  for (let at = 1; at <= sizeBytes; at++) payload = payload * 256 + (value[at] ?? 0);
  return value.length === payload + sizeBytes + 1;
}

/** The JSON text of a JSONB blob; null for all other values, and until SQLite has answered. */
export function useJsonb(
  database: DatabaseId,
  value: Value,
): { readonly json: string | null; readonly pending: boolean } {
  const [read, setRead] = useState<{ readonly of: Value; readonly json: string | null } | null>(null);
  const isLikely = mayBeJsonb(value);
  useEffect(() => {
    if (!mayBeJsonb(value)) return;
    const controller = new AbortController();
    client.call('cell.convertJson', { database, value, convertTo: 'text' }, { signal: controller.signal }).then(
      (json) => setRead({ of: value, json: typeof json === 'string' ? json : null }),
      () => !controller.signal.aborted && setRead({ of: value, json: null }),
    );
    return () => controller.abort();
  }, [database, value]);
  if (!isLikely) return { json: null, pending: false };
  return read?.of === value ? { json: read.json, pending: false } : { json: null, pending: true };
}
