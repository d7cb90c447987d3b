// Reads version and pages of a PDF document without interpreting it.
import { plural } from '../../ui/format.ts';

const SEARCHED_BYTES = 16 * 1024 * 1024;
const PAGE = /\/Type\s*\/Page(?![A-Za-z])/g;
const VERSION = /^%PDF-(\d\.\d)(?!\d)/;

/** “PDF 1.7 document, 2 pages”. @param isCut the bytes are only the beginning: pages are not counted then */
export function pdfName(bytes: Uint8Array, isCut: boolean): string {
  const version = VERSION.exec(latin1(bytes.subarray(0, 16)))?.[1];
  const pages = isCut ? null : pagesOf(bytes);
  return `PDF ${version === undefined ? '' : `${version} `}document${pages === null ? '' : `, ${plural(pages, 'page')}`}`;
}

/** Null if its objects are compressed, or it is longer than 16 MB. (ISO 32000-1, 7.7.3.3: each page is an object of the type Page.) */
const pagesOf = (bytes: Uint8Array): number | null =>
  bytes.length > SEARCHED_BYTES ? null : (latin1(bytes).match(PAGE)?.length ?? null);

const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
