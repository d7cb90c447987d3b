// Databases made to harm who looks at them: values that are too deep, too long, too large, or that lie about what is beside them.
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';

/** A PNG that says it is `width` × `height` and has the data of one pixel. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixel = deflateSync(Buffer.from([0, 255, 0, 0]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixel), chunk('IEND', Buffer.alloc(0))]);
}

function crc32(bytes: Buffer): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

const MEGABYTE = 1_000_000;

/** Description, value, and what the details panel must say of it. */
export const HOSTILE_VALUES: readonly (readonly [what: string, value: unknown, details: RegExp])[] = [
  ['60 KB of nested brackets', '['.repeat(30_000) + ']'.repeat(30_000), /JSON, indented to level/],
  [
    '3 MB of nested objects',
    '{"a":'.repeat(MEGABYTE / 2) + '1' + '}'.repeat(MEGABYTE / 2),
    /Characters 1 to 100,000 of/,
  ],
  ['JSON that never ends', `[${'"x",'.repeat(2 * MEGABYTE)}`, /The first 4\.\d+ MB of/],
  ['a string of 2 MB in JSON', `{"a":"${'\\u0041'.repeat(MEGABYTE / 3)}"}`, /JSON, indented/],
  ['a number of a million digits', `[${'9'.repeat(MEGABYTE)}]`, /JSON, indented/],
  ['one line of 10 MB', 'x'.repeat(10 * MEGABYTE), /The first 4\.\d+ MB of/],
  ['4 MB of line breaks', '\n'.repeat(4 * MEGABYTE), /Characters 1 to 5,000 of/],
  ['a stack of marks', `Z${'\u0310\u0321\u0489'.repeat(100_000)}`, /Characters 1 to 100,000 of/],
  ['overrides', 'paid\u202e000,1\u202c \u2067(admin)', /hidden characters shown as codes/],
  ['a million overrides', '\u202e'.repeat(MEGABYTE), /hidden characters shown as codes/],
  ['zero-width characters', 'ad\u200bmin\u2060\ufeff', /hidden characters shown as codes/],
  ['control characters', Array.from({ length: 160 }, (_, code) => String.fromCharCode(code)).join(''), /NUL/],
  ['half a surrogate pair', Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]), /blob, 5 bytes|text/],
  ['an image of 60,000 × 60,000 pixels', png(60_000, 60_000), /60,000 × 60,000 pixels: too large to show/],
  ['an image that ends early', png(900, 900).subarray(0, 45), /PNG image/],
  ['an image without a size', png(0, 0), /without a size/],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>', /text, 89 char/],
  ['HTML', '<img src=x onerror="alert(1)"><iframe src="https://example.com">', /text, 64 char/],
  ['4 MB of noise', randomBytes(4 * MEGABYTE), /The first 16\.\d+ KB of/],
  ['the largest integer', 9_223_372_036_854_775_807n, /integer/],
  ['infinity', Infinity, /real/],
];

/** Possible names of a table or a column: `admin (verified)` read from the right, and others. */
export const HOSTILE_NAMES = [
  'orders\u202e)deifirev( nimda',
  'line\nbreak\ttab',
  'zero\u200bwidth',
  'שלום 12',
  '<b>bold</b>',
  'x'.repeat(100_000),
] as const;

export function makeHostile(path: string): string {
  const db = new Sqlite(path);
  db.exec('CREATE TABLE cells (id INTEGER PRIMARY KEY, what TEXT, value)');
  const insert = db.prepare('INSERT INTO cells (what, value) VALUES (?, ?)');
  for (const [what, value] of HOSTILE_VALUES) insert.run(what, value);
  db.prepare("UPDATE cells SET value = CAST(value AS TEXT) WHERE what = 'half a surrogate pair'").run();
  db.close();
  return path;
}

export function makeHostileNames(path: string): string {
  const db = new Sqlite(path);
  const quoted = (name: string): string => `"${name}"`;
  const columns = HOSTILE_NAMES.map((name) => `${quoted(name)} TEXT`).join(', ');
  for (const name of HOSTILE_NAMES) {
    db.exec(`CREATE TABLE ${quoted(name)} (id INTEGER PRIMARY KEY, ${columns})`);
    db.prepare(`INSERT INTO ${quoted(name)} VALUES (1, ${HOSTILE_NAMES.map(() => '?').join()})`).run(
      ...HOSTILE_NAMES.map((each) => each.slice(0, 50)),
    );
  }
  db.close();
  return path;
}

/** Views and a table that SQLite could prepare only in days, beside others that are as any. */
export function makeHeavy(path: string): string {
  const db = new Sqlite(path);
  db.exec("CREATE TABLE t (a); INSERT INTO t VALUES ('one'), ('two'); CREATE VIEW v0 AS SELECT a FROM t");
  for (let at = 1; at <= 40; at++) db.exec(`CREATE VIEW v${at} AS SELECT x.a FROM v${at - 1} x JOIN v${at - 1} y`);
  db.close();
  return path;
}
