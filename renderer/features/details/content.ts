// How a value is shown: image, geometry, bytes, text.
import type { Geometry } from '#shared/geometry/geometry.ts';
import { parseGeometry } from '#shared/geometry/parse.ts';
import { isRawText, type Value } from '#shared/protocol/index.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { fileKind } from './file-kind.ts';
import { imageHeader } from './image-header.ts';

const SEARCHED_BYTES = 16 * 1024 * 1024;
const PAGE = /\/Type\s*\/Page(?![A-Za-z])/g;
const VERSION = /^%PDF-(\d\.\d)(?!\d)/;

/** “PDF 1.7 document, 2 pages”. @param isCut the bytes are only the beginning: pages are not counted then */
function pdfName(bytes: Uint8Array, isCut: boolean): string {
  const version = VERSION.exec(latin1(bytes.subarray(0, 16)))?.[1];
  const pages = isCut ? null : pagesOf(bytes);
  return `PDF ${version === undefined ? '' : `${version} `}document${pages === null ? '' : `, ${plural(pages, 'page')}`}`;
}

/** Null if its objects are compressed, or it is longer than 16 MB. (ISO 32000-1, 7.7.3.3: each page is an object of the type Page.) */
const pagesOf = (bytes: Uint8Array): number | null =>
  bytes.length > SEARCHED_BYTES ? null : (latin1(bytes).match(PAGE)?.length ?? null);

const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

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
  /** `text`: the value itself, if it is one. */
  | { readonly kind: 'geometry'; readonly geometry: Geometry; readonly text: string | null }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly note: string | null }
  /** Shown as its bytes: its pages are shown in a window of their own, because it may be made to attack what reads it. */
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array; readonly name: string };

/** An image is decoded to four bytes a pixel, however small it is in the database: 256 MB. */
const MAX_IMAGE_PIXELS = 64_000_000;

/** @param isCut it is only the beginning of the value */
export function contentOf(value: Value, isCut = false): Content {
  if (value === null) return { kind: 'null' };
  if (isRawText(value))
    return { kind: 'text', text: new TextDecoder().decode(value.textBytes), note: 'not valid UTF-8' };
  if (value instanceof Uint8Array) return bytesContent(value, isCut);
  if (typeof value !== 'string') return { kind: 'text', text: valueText(value), note: null };
  const geometry = isCut ? null : parseGeometry(value);
  if (geometry) return { kind: 'geometry', geometry, text: value };
  return { kind: 'text', text: value, note: value.includes('\0') ? 'contains NUL characters' : null };
}

/** The size that an image claims is checked before decoding, not after. */
function bytesContent(bytes: Uint8Array, isCut: boolean): Content {
  const header = imageHeader(bytes);
  if (!header) return geometryContent(bytes, isCut) ?? fileContent(bytes, isCut);
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

function geometryContent(bytes: Uint8Array, isCut: boolean): Content | null {
  const geometry = isCut ? null : parseGeometry(bytes);
  return geometry && { kind: 'geometry', geometry, text: null };
}

/** A document is only named here. */
function fileContent(bytes: Uint8Array, isCut: boolean): Content {
  const { extension, label, audioType } = fileKind(bytes);
  if (label === null) return { kind: 'bytes', bytes, note: null };
  if (audioType !== null) return { kind: 'audio', mediaType: audioType, label, bytes };
  if (extension === 'pdf') return { kind: 'pdf', bytes, name: pdfName(bytes, isCut) };
  return { kind: 'bytes', bytes, note: `${label}: its bytes` };
}

/** PNG, JPEG, … */
export const imageName = (mediaType: string): string => mediaType.slice('image/'.length).toUpperCase();

/** Layout of a dump. With little room, bytes are in groups of four, with one space between all parts. */
export interface HexLayout {
  readonly bytesPerLine: 8 | 16;
  readonly isCompact: boolean;
}

/** The layout that most hex editors use. */
export const WIDE_HEX: HexLayout = { bytesPerLine: 16, isCompact: false };
/** Layouts from the best to the narrowest. */
const LAYOUTS: readonly HexLayout[] = [
  WIDE_HEX,
  { bytesPerLine: 16, isCompact: true },
  { bytesPerLine: 8, isCompact: false },
  { bytesPerLine: 8, isCompact: true },
];

/** Classic dump: offset, bytes, ASCII. */
export function hexDump(bytes: Uint8Array, limit: number, { bytesPerLine, isCompact }: HexLayout): string {
  const end = Math.min(bytes.length, limit);
  const gap = isCompact ? ' ' : '  ';
  const hexWidth = hexChars(bytesPerLine, isCompact);
  const lines: string[] = [];
  for (let at = 0; at < end; at += bytesPerLine) {
    const part = bytes.subarray(at, Math.min(at + bytesPerLine, end));
    const hex = Array.from(part, (byte, index) => {
      const hasSpace = index > 0 && (!isCompact || index % 4 === 0);
      return `${hasSpace ? ' ' : ''}${byte.toString(16).padStart(2, '0')}`;
    }).join('');
    const ascii = Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    const offset = at.toString(16).padStart(offsetChars(isCompact), '0');
    lines.push(`${offset}${gap}${hex.padEnd(hexWidth)}${gap}${ascii}`);
  }
  return lines.join('\n');
}

const offsetChars = (isCompact: boolean): number => (isCompact ? 4 : 6);

const hexChars = (count: number, isCompact: boolean): number => count * 2 + (isCompact ? count / 4 : count) - 1;

/** The widest layout that fits into a line of so many characters. If none does, the last one is scrolled sideways. */
export function hexLayoutFor(characters: number): HexLayout {
  const width = ({ bytesPerLine, isCompact }: HexLayout): number =>
    offsetChars(isCompact) + hexChars(bytesPerLine, isCompact) + bytesPerLine + (isCompact ? 2 : 4);
  return LAYOUTS.find((layout) => width(layout) <= characters) ?? LAYOUTS.at(-1)!;
}
