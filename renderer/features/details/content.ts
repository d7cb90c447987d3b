// What a value is, for showing it: image, bytes, text.
import { isRawText } from '#shared/protocol/index.ts';
import type { Value } from '#shared/protocol/index.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatCount } from '../../ui/format.ts';
import { fileKind } from './file-kind.ts';
import { imageHeader } from './image-header.ts';
import { pdfName } from './pdf-name.ts';

export type Content =
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly text: string; readonly note: string | null }
  | {
      readonly kind: 'image';
      readonly mediaType: string;
      readonly width: number;
      readonly height: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'audio'; readonly mediaType: string; readonly label: string; readonly bytes: Uint8Array }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly note: string | null };

/** An image is decoded to four bytes a pixel, whatever it takes in the database: 256 MB. */
const MAX_IMAGE_PIXELS = 64_000_000;

/** @param isCut it is only the beginning of the value */
export function contentOf(value: Value, isCut = false): Content {
  if (value === null) return { kind: 'null' };
  if (isRawText(value))
    return { kind: 'text', text: new TextDecoder().decode(value.textBytes), note: 'not valid UTF-8' };
  if (value instanceof Uint8Array) return bytesContent(value, isCut);
  if (typeof value !== 'string') return { kind: 'text', text: valueText(value), note: null };
  return { kind: 'text', text: value, note: value.includes('\0') ? 'contains NUL characters' : null };
}

/** What an image says of its size is believed before it is decoded, not after. */
function bytesContent(bytes: Uint8Array, isCut: boolean): Content {
  const header = imageHeader(bytes);
  if (!header) return fileContent(bytes, isCut);
  const { mediaType, size } = header;
  const name = `${imageName(mediaType)} image`;
  if (!size || size.width === 0 || size.height === 0)
    return { kind: 'bytes', bytes, note: `${name} without a size: its bytes` };
  const { width, height } = size;
  if (width * height > MAX_IMAGE_PIXELS) {
    const note = `${name}, ${formatCount(width)} × ${formatCount(height)} pixels: too large to show. Its bytes`;
    return { kind: 'bytes', bytes, note };
  }
  return { kind: 'image', mediaType, width, height, bytes };
}

/** A document is a program of its own, so it is only named; it is saved to a file to be read. */
function fileContent(bytes: Uint8Array, isCut: boolean): Content {
  const { extension, label, audioType } = fileKind(bytes);
  if (label === null) return { kind: 'bytes', bytes, note: null };
  if (audioType !== null) return { kind: 'audio', mediaType: audioType, label, bytes };
  const name = extension === 'pdf' ? pdfName(bytes, isCut) : label;
  return { kind: 'bytes', bytes, note: `${name}: its bytes` };
}

/** PNG, JPEG, … */
export const imageName = (mediaType: string): string => mediaType.slice('image/'.length).toUpperCase();

/** Classic dump: offset, bytes, ASCII. */
export function hexDump(bytes: Uint8Array, limit: number, bytesPerLine: number): string {
  const end = Math.min(bytes.length, limit);
  const lines: string[] = [];
  for (let at = 0; at < end; at += bytesPerLine) {
    const part = bytes.subarray(at, Math.min(at + bytesPerLine, end));
    const hex = Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}

/** How many bytes fit into a line of so many characters: 4, 8 or 16. */
export function bytesPerLine(characters: number): number {
  return [16, 8].find((count) => 6 + 2 + count * 3 - 1 + 2 + count <= characters) ?? 4;
}
