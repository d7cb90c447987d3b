// The encoding of a file of SQL. Blobs of a MySQL dump are bytes between quotes, so nothing is concluded from its bytes.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { detectEncoding } from '../csv/detect-encoding.ts';
import type { FileSample } from '../import-format.ts';
import { encodingOfCharset, isSplitAsBytes } from './mysql-charsets.ts';

export interface DumpEncoding {
  /** Encoding of the text. */
  readonly encoding: string;
  /** A full sentence; null where it says nothing that is not expected. */
  readonly note: string | null;
  /** The file is read as bytes: the translator decodes what is text. */
  readonly isDecodedLater: boolean;
}

const SET_NAMES = /^[ \t]*(?:\/\*M?!\d*\s*)?SET\s+NAMES\s+['"]?(\w+)/gim;
const CLIENT_ENCODING = /^SET\s+client_encoding\s*(?:=|TO)\s*'(\w+)'/im;
const POSTGRES_ENCODINGS: Readonly<Record<string, string>> = {
  utf8: 'utf-8', unicode: 'utf-8', latin1: 'windows-1252', latin2: 'iso-8859-2', latin5: 'iso-8859-9', latin9: 'iso-8859-15',
  win1250: 'windows-1250', win1251: 'windows-1251', win1252: 'windows-1252', win1253: 'windows-1253', win1254: 'windows-1254',
  win1255: 'windows-1255', win1256: 'windows-1256', win1257: 'windows-1257', win1258: 'windows-1258', koi8r: 'koi8-r', koi8u: 'koi8-u',
  euc_jp: 'euc-jp', sjis: 'shift_jis', euc_kr: 'euc-kr', uhc: 'euc-kr', big5: 'big5', gbk: 'gbk', gb18030: 'gb18030',
}; // prettier-ignore
export const FIRST_DEFINITION = /^(?:CREATE|INSERT|REPLACE)\s/im;
const WIDE = /^utf-(?:16|32)/;

/** The encoding in which the beginning of a file is read, to find out what program wrote it. */
export function beginningEncoding(sample: FileSample): string {
  const { encoding } = detectEncoding(sample);
  return WIDE.test(encoding) ? encoding : 'utf-8';
}

/** @param chosen by the user */
export function dumpEncoding(
  sample: FileSample,
  beginning: string,
  dialect: SqlDialect,
  chosen: string | null,
): DumpEncoding {
  if (dialect !== 'mysql')
    return {
      ...(chosen === null ? readEncoding(sample, beginning, dialect) : { encoding: chosen, note: null }),
      isDecodedLater: false,
    };
  const { encoding, note } = chosen === null ? declaredEncoding(sample, beginning) : { encoding: chosen, note: null };
  return { encoding, note, isDecodedLater: isSplitAsBytes(encoding.toLowerCase()) && isKnown(encoding) };
}

/** An unknown one is refused by the decoder of the file. */
function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}

/** As the program sqlite3 begins a dump: its texts are the bytes of the database, also where these are not UTF-8. */
const SQLITE_DUMP = /^PRAGMA foreign_keys=OFF;\r?\nBEGIN TRANSACTION;/;

/** That of `SET client_encoding` of PostgreSQL, or the detected one: outside of MySQL all bytes are text. */
function readEncoding(
  sample: FileSample,
  beginning: string,
  dialect: SqlDialect,
): Pick<DumpEncoding, 'encoding' | 'note'> {
  const wide = beginningEncoding(sample);
  if (WIDE.test(wide)) return { encoding: wide, note: null };
  if (dialect === 'sqlite' && SQLITE_DUMP.test(beginning)) return { encoding: 'utf-8', note: null };
  const name = CLIENT_ENCODING.exec(beginning)?.[1];
  const declared = name === undefined ? undefined : POSTGRES_ENCODINGS[name.toLowerCase()];
  const encoding = declared ?? detectEncoding(sample).encoding;
  const reason = declared === undefined ? 'its bytes are not UTF-8' : `the file says SET client_encoding = ${name}`;
  return { encoding, note: encoding === 'utf-8' ? null : `The text was read as ${encoding}, because ${reason}.` };
}

function declaredEncoding(sample: FileSample, beginning: string): Pick<DumpEncoding, 'encoding' | 'note'> {
  const wide = beginningEncoding(sample);
  if (WIDE.test(wide)) return { encoding: wide, note: `The file was read as ${wide}, as its zero bytes show.` };
  const end = FIRST_DEFINITION.exec(beginning)?.index ?? beginning.length;
  const charset = [...beginning.slice(0, end).matchAll(SET_NAMES)].at(-1)?.[1];
  if (charset === undefined) return { encoding: 'utf-8', note: null };
  const encoding = encodingOfCharset(charset);
  if (encoding === 'utf-8') return { encoding, note: null };
  return encoding === null
    ? { encoding: 'utf-8', note: `The text was read as utf-8: the file says SET NAMES ${charset}, which is not known.` }
    : { encoding, note: `The text was read as ${encoding}, because the file says SET NAMES ${charset}.` };
}
