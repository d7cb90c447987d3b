// Text as written in XML: line ends, references, and the error of XML that cannot be read.
import { AppError } from '#shared/protocol/errors.ts';
import { asciiText } from '#shared/ascii-text.ts';
import { encodeText } from '../../records/batch-writer.ts';

const [LF, CR, AMP, SEMICOLON] = [10, 13, 38, 59];

/**
 * Writes text that is not plain: line ends are LF, references what they stand for. It becomes no longer.
 * @returns where it ends
 * @throws AppError `invalid`
 */
export function writeXmlText(from: Uint8Array, start: number, end: number, bytes: Uint8Array, to: number): number {
  let written = to;
  for (let at = start; at < end; at++) {
    const byte = from[at]!;
    if (byte === CR) {
      bytes[written++] = LF;
      if (at + 1 < end && from[at + 1] === LF) at++;
    } else if (byte !== AMP) bytes[written++] = byte;
    else {
      const name = at + 1;
      for (at++; at < end && from[at] !== SEMICOLON && from[at] !== AMP;) at++;
      if (at === end || from[at] === AMP) throw undefinedEntity();
      written = encodeText(reference(asciiText(from, name, at)), bytes, written);
    }
  }
  return written;
}

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }),
);

export function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]*;?)/g, (_all, body: string) => {
    if (!body.endsWith(';')) throw undefinedEntity();
    return reference(body.slice(0, -1));
  });
}

function reference(name: string): string {
  const known = ENTITIES.get(name) ?? numbered(name);
  if (known === null) throw undefinedEntity();
  return known;
}

const undefinedEntity = (): AppError => damagedXml('it has an entity without a definition');

function numbered(name: string): string | null {
  const match = /^#(?:([0-9]+)|x([0-9a-fA-F]+))$/.exec(name);
  if (!match) return null;
  const code = match[1] === undefined ? Number.parseInt(match[2]!, 16) : Number(match[1]);
  const isCharacter =
    code === 9 || code === 10 || code === 13 || (code >= 32 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe);
  return isCharacter || (code >= 0x10000 && code <= 0x10ffff) ? String.fromCodePoint(code) : null;
}

export const damagedXml = (why: string): AppError =>
  AppError.invalid(`The workbook is damaged: its XML cannot be read (${why}).`);
