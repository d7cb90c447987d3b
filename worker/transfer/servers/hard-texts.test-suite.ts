// Texts and bytes that programs get wrong when they write or read a dump.
import type { Random } from '#shared/random.ts';

const HARD = [
  '', ' ', 'plain', ' leading and trailing ', "it's", "''", '"', '`', '\\', '\\\\', "\\'", 'C:\\new\\table', '\\N', '\\.', 'a\\.b', '\t', '\n', '\r',
  '\r\n', 'a\nb\n', '\n\\.\n', '\f\v\b', '\x01\x1a\x1b\x7f', '\u0085\u2028\u2029', '\ufeff', '\ufeffafter', '😀', '👩‍👩‍👧', 'e\u0301', '\u{10ffff}', '\uffff',
  'Ünïcödé', '中文', 'שלום', '$$', '$body$', '--', '-- no comment', '/* no comment */', '/*!40101 SET x */', '#', ';', "'; DROP TABLE x; --",
  'NULL', 'null', 'DEFAULT', 'true', 't', '007', '1.0', '1e5', '12345678901234567890', '0x41', '\\x41', "E'a'", "U&'\\0041'", "_binary 'a'", '%_',
  '\\%\\_', '{a,b}', '(1,2)', '[]', 'a,b', 'a|b', "b'1'", "X'41'", '?', ':a', '@a', '$1', 'NaN', 'Infinity', '-0', '+1', '.5', '5.',
]; // prettier-ignore
const LETTERS = Array.from(`ab0 '"\\\`\n\r\t\b;,-/*#$%_{}()[]:@?é中😀\u0000`);

/** @param hasZero U+0000 is allowed */
export function hardTexts(random: Random, hasZero: boolean): readonly string[] {
  const letters = hasZero ? LETTERS : LETTERS.filter((letter) => letter !== '\0');
  const made = Array.from({ length: 20 }, () =>
    Array.from({ length: random.between(1, 30) }, () => random.pick(letters)).join(''),
  );
  return [...HARD, ...made, ...(hasZero ? ['\0', 'a\0b', '\0\\0'] : []), 'long '.repeat(15_000)];
}

const EVERY = Uint8Array.from({ length: 256 }, (_, at) => at);

/** In hexadecimal digits. */
export function hardBytes(random: Random): readonly string[] {
  const made = Array.from({ length: 8 }, () =>
    Array.from({ length: random.between(1, 40) }, () =>
      random.pick(['00', '27', '5c', '0a', '0d', '1a', '22', 'c3', 'a9', 'ff', '41', '09']),
    ).join(''),
  );
  const named = ['', '00', '5c', '5c5c', '5c78', '5c7834', '27', '5c30', '5c27', 'efbbbf', 'c328', '0d0a', '5c2e0a'];
  return [...named, Buffer.from(EVERY).toString('hex'), ...made];
}
