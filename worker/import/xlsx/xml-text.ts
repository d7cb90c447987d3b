// Text as written in XML: line ends, references, and the error of XML that cannot be read.
import { AppError } from '#shared/protocol/errors.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text that is not plain: line ends are LF, references what they stand for. @throws AppError `invalid` */
export const xmlText = (bytes: Uint8Array, start: number, end: number): string =>
  resolved(decoder.decode(bytes.subarray(start, end)).replace(/\r\n?/g, '\n'));

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]*;?)/g, (_all, body: string) => {
    const name = body.slice(0, -1);
    const known = body.endsWith(';') ? (ENTITIES[name] ?? numbered(name)) : null;
    if (known === null) throw damagedXml('it has an undefined entity');
    return known;
  });
}

function numbered(name: string): string | null {
  const match = /^#(?:([0-9]+)|x([0-9a-fA-F]+))$/.exec(name);
  if (!match) return null;
  const code = match[1] === undefined ? Number.parseInt(match[2]!, 16) : Number(match[1]);
  const isCharacter =
    code === 9 || code === 10 || code === 13 || (code >= 32 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe);
  return isCharacter || (code >= 0x10000 && code <= 0x10ffff) ? String.fromCodePoint(code) : null;
}

export const damagedXml = (why: string): AppError =>
  new AppError({ code: 'invalid', message: `The workbook is damaged: its XML cannot be read (${why}).` });
