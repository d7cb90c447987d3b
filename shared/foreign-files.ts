// What a file is that is no SQLite database, told by its first bytes.
import { asciiText } from './ascii-text.ts';
import { isDatabaseHeader } from './file-header.ts';

/** Random bytes reach about 7.95 bits a byte in 4 KiB; compressed files with a header stay below or have a magic of their own. */
const ENCRYPTED_ENTROPY_BITS = 7.6;
/** They reach some 7.6 in a file of one page of this size. */
const [LEAST_PAGE, BITS_OF_LEAST] = [512, 7.4];

const OPEN_DATABASE = 'open the database itself, in a browser together with this file';

/** First bytes of other common file types. */
const OTHER_FILES: readonly (readonly [at: number, magic: string, what: string])[] = [
  [0, 'PK\x03\x04', 'a ZIP archive or an office document'],
  [0, '\x1f\x8b', 'a gzip archive: unpack it first'],
  [257, 'ustar', 'a tar archive: unpack it first'],
  [0, '7z\xbc\xaf', 'a 7-Zip archive: unpack it first'],
  [0, 'BZh', 'a bzip2 archive: unpack it first'],
  [0, '\x28\xb5\x2f\xfd', 'a Zstandard archive: unpack it first'],
  [0, '\x37\x7f\x06\x82', `the write-ahead log (WAL) of a database: ${OPEN_DATABASE}`],
  [0, '\x37\x7f\x06\x83', `the write-ahead log (WAL) of a database: ${OPEN_DATABASE}`],
  [0, '\xd9\xd5\x05\xf9\x20\xa1\x63\xd7', `the rollback journal of a database: ${OPEN_DATABASE}`],
  [0, '%PDF', 'a PDF document'],
  [0, '\x89PNG', 'an image (PNG)'],
  [0, '\xff\xd8\xff', 'an image (JPEG)'],
  [0, 'PAR1', 'a Parquet file'],
  [8, 'DUCK', 'a DuckDB database'],
  [4, 'Standard Jet DB', 'a Microsoft Access database'],
  [4, 'Standard ACE DB', 'a Microsoft Access database'],
  [0, '** This file contains an SQLite 2', 'a database of SQLite 2: convert it with a program for SQLite 2'],
];

/** Continues “it …”; null if the bytes tell nothing. @param head some 4 KiB, or all of a smaller file */
export function otherThanDatabase(head: Uint8Array): string | null {
  const known = OTHER_FILES.find(([at, magic]) => latin(head, at, magic.length) === magic);
  if (known) return `looks like ${known[2]}`;
  if (!isText(head)) return null;
  const sql = /\b(create\s+table|insert\s+into|begin\s+transaction|pragma)\b/i.test(latin(head, 0, head.length));
  return sql ? 'is an SQL script. Create a database and run the script in an SQL tab' : 'is a text file';
}

const isLikeRandom = (head: Uint8Array): boolean =>
  head.length >= LEAST_PAGE &&
  entropyBits(head) > (head.length < 2 * LEAST_PAGE ? BITS_OF_LEAST : ENCRYPTED_ENTROPY_BITS);

/** Where the first page of a database has its type, and what that is: the schema is a table (sqlite.org/fileformat2.html#b_tree_pages). */
const [PAGE_TYPE, INTERIOR, LEAF] = [100, 0x05, 0x0d];
/** Bytes of the header that are zero (sqlite.org/fileformat2.html#database_header). Of 256 encrypted files two have one of these types. */
const [ZEROS, ZEROS_END] = [72, 92];

/** Whether an encrypted database may begin so. Of some, the header is not encrypted. */
export function isLikeEncrypted(head: Uint8Array): boolean {
  if (!isDatabaseHeader(head)) return otherThanDatabase(head) === null && isLikeRandom(head);
  const type = head[PAGE_TYPE];
  const isPlain = (type === INTERIOR || type === LEAF) && head.subarray(ZEROS, ZEROS_END).every((byte) => byte === 0);
  return !isPlain && isLikeRandom(head.subarray(PAGE_TYPE));
}

const latin = (bytes: Uint8Array, start: number, length: number): string =>
  asciiText(bytes, start, Math.min(bytes.length, start + length));

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 12 || byte === 13);
}

function entropyBits(bytes: Uint8Array): number {
  const counts = new Float64Array(256);
  for (const byte of bytes) counts[byte]!++;
  return counts.reduce(
    (sum, count) => (count === 0 ? sum : sum - (count / bytes.length) * Math.log2(count / bytes.length)),
    0,
  );
}
