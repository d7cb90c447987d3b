// The encoding in which a database stores text (sqlite.org/pragma.html#pragma_encoding).
import type { Connection } from '../engines/engine.ts';
import type { TextEncodingName } from '../sql/text-bytes.ts';

/** UTF-8 also where the build of SQLite supports no other. */
export function textEncodingOf(connection: Connection): TextEncodingName {
  const name = String(connection.one('PRAGMA encoding')?.[0] ?? '').toLowerCase();
  return name === 'utf-16le' || name === 'utf-16be' ? name : 'utf-8';
}
