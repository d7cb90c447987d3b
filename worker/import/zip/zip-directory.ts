// The table of contents of a ZIP file (PKWARE APPNOTE 6.3.10), which stands at its end. Nothing in it is believed: every number is checked against the file.
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import type { ReadingLimits } from '../reading-limits.ts';

export interface ZipEntry {
  readonly name: string;
  /** 0: stored as it is; 8: deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc32: number;
  readonly compressedBytes: number;
  /** Size in the table of contents: the data may be shorter, and is cut off where it would be longer. */
  readonly sizeBytes: number;
  /** Start of the entry's own header. */
  readonly offset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCATOR64_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const EXTRA64 = 1;
/** Marks a field of 32 bits whose number is in the extra field. */
const IN_EXTRA = 0xffffffff;

/** Names of parts differ by more than the case of ASCII letters (ECMA-376-2, 6.2.2.3). */
export const foldedPart = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Returns entries by their folded names. If two have the same name, the last one counts. @throws AppError `invalid` */
export async function readZipDirectory(
  source: ByteSource,
  { describingBytes }: Pick<ReadingLimits, 'describingBytes'>,
): Promise<ReadonlyMap<string, ZipEntry>> {
  const { offset, length } = await findDirectory(source);
  if (length > describingBytes || offset + length > source.sizeBytes) throw damaged();
  const bytes = await source.read(offset, length);
  const view = viewOf(bytes);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + ENTRY_BYTES <= bytes.length;) {
    if (view.getUint32(at, true) !== ENTRY_SIGNATURE) break;
    const nameEnd = at + ENTRY_BYTES + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > bytes.length) throw damaged();
    // Some programs of Windows write the separators of its paths.
    const name = new TextDecoder().decode(bytes.subarray(at + ENTRY_BYTES, nameEnd)).replaceAll('\\', '/');
    entries.set(foldedPart(name), entryAt(view, at, name, nameEnd, extraEnd, source.sizeBytes));
    at = extraEnd + view.getUint16(at + 32, true);
  }
  if (entries.size === 0) throw damaged();
  return entries;
}

function entryAt(
  view: DataView,
  at: number,
  name: string,
  extra: number,
  extraEnd: number,
  fileBytes: number,
): ZipEntry {
  let sizeBytes = view.getUint32(at + 24, true);
  let compressedBytes = view.getUint32(at + 20, true);
  let offset = view.getUint32(at + 42, true);
  for (let field = extra; field + 4 <= extraEnd;) {
    const end = field + 4 + view.getUint16(field + 2, true);
    if (view.getUint16(field, true) === EXTRA64 && end <= extraEnd) {
      // It contains only the numbers for which there was no room, in this order.
      let next = field + 4;
      const take = (known: number): number => {
        if (known !== IN_EXTRA || next + 8 > end) return known;
        next += 8;
        return uint64(view, next - 8);
      };
      sizeBytes = take(sizeBytes);
      compressedBytes = take(compressedBytes);
      offset = take(offset);
    }
    field = end;
  }
  if (offset + compressedBytes > fileBytes) throw damaged();
  const isEncrypted = (view.getUint16(at + 8, true) & 1) !== 0;
  const [method, crc32] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
  return { name, method, isEncrypted, crc32, compressedBytes, sizeBytes, offset };
}

async function findDirectory(source: ByteSource): Promise<{ readonly offset: number; readonly length: number }> {
  const tailAt = Math.max(0, source.sizeBytes - END_BYTES - MAX_COMMENT_BYTES - LOCATOR64_BYTES);
  const tail = await source.read(tailAt, source.sizeBytes - tailAt);
  const view = viewOf(tail);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    const isEnd =
      view.getUint32(at, true) === END_SIGNATURE && at + END_BYTES + view.getUint16(at + 20, true) <= tail.length;
    if (!isEnd) continue;
    const locator = at - LOCATOR64_BYTES;
    if (locator >= 0 && view.getUint32(locator, true) === LOCATOR64_SIGNATURE)
      return await findDirectory64(source, uint64(view, locator + 8));
    return { offset: view.getUint32(at + 16, true), length: view.getUint32(at + 12, true) };
  }
  throw AppError.invalid(
    'The end of the file is missing, and with it its table of contents. Download or copy the file again.',
  );
}

async function findDirectory64(
  source: ByteSource,
  at: number,
): Promise<{ readonly offset: number; readonly length: number }> {
  if (at + END64_BYTES > source.sizeBytes) throw damaged();
  const bytes = await source.read(at, END64_BYTES);
  const view = viewOf(bytes);
  if (bytes.length < END64_BYTES || view.getUint32(0, true) !== END64_SIGNATURE) throw damaged();
  return { length: uint64(view, 40), offset: uint64(view, 48) };
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** No file has more than 2^53 bytes: larger positions are refused like any outside the file. */
const uint64 = (view: DataView, at: number): number =>
  view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);

export const damaged = (): AppError =>
  AppError.invalid('The file is damaged: its ZIP structure does not fit the file. Nothing was read.');
