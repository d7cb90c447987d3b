// Character sets of MySQL, by the encodings that read them.

const ENCODINGS: Readonly<Record<string, string>> = {
  ascii: 'utf-8', utf8: 'utf-8', utf8mb3: 'utf-8', utf8mb4: 'utf-8', latin1: 'windows-1252', latin2: 'iso-8859-2', latin5: 'iso-8859-9',
  latin7: 'iso-8859-13', cp1250: 'windows-1250', cp1251: 'windows-1251', cp1256: 'windows-1256', cp1257: 'windows-1257', cp866: 'ibm866',
  greek: 'iso-8859-7', hebrew: 'iso-8859-8', koi8r: 'koi8-r', koi8u: 'koi8-u', macroman: 'macintosh', tis620: 'windows-874',
  big5: 'big5', cp932: 'shift_jis', sjis: 'shift_jis', euckr: 'euc-kr', gb2312: 'gbk', gbk: 'gbk', gb18030: 'gb18030', ujis: 'euc-jp',
}; // prettier-ignore

/** In these, a quote or a backslash may be the second byte of a character. */
const OVERLAPPING = new Set(['big5', 'gb18030', 'gbk', 'shift_jis']);

export const encodingOfCharset = (charset: string): string | null => ENCODINGS[charset.toLowerCase()] ?? null;

/** Quotes and backslashes can be found in the bytes, before these are decoded. */
export const isSplitAsBytes = (encoding: string): boolean =>
  !OVERLAPPING.has(encoding) && !/^(?:utf-16|utf-32|iso-2022)/.test(encoding);
