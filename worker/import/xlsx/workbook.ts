// Information of a workbook about itself: its sheets, where their parts are, which formats are dates.
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { READING_LIMITS, sizeText, type ReadingLimits } from '../reading-limits.ts';
import { type XmlTag, XmlScanner } from './xml-scanner.ts';
import { foldedPart, readZipDirectory, type ZipEntry } from '../zip/zip-directory.ts';
import { openZipEntry, type ZipStream } from '../zip/zip-stream.ts';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

export interface Workbook {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** Sheets as in Excel, including hidden ones but not charts. */
  readonly sheets: readonly Sheet[];
  /** Days are counted from 1904 on. */
  readonly is1904: boolean;
  /** Null where no text is shared. */
  readonly sharedStrings: string | null;
  /** Indexed by the style of a cell; null for formats that are not dates. */
  readonly dateKinds: readonly (DateKind | null)[];
}

const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0];

/** @throws AppError `invalid`, `unavailable`, `too-big` */
export async function openWorkbook(source: ByteSource, limits: ReadingLimits = READING_LIMITS): Promise<Workbook> {
  await refuseOthers(source);
  const entries = await readZipDirectory(source, limits);
  const parts: Parts = { source, entries, limits };
  const root = await readRelations(parts, '');
  const path = root.ofType('/officeDocument') ?? 'xl/workbook.xml';
  if (!entries.has(path) || path.endsWith('.bin')) throw noWorkbook(entries);
  const relations = await readRelations(parts, path);
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readPart(parts, path, ['workbookPr', 'sheet'], (name, read) => {
    const attributes = read();
    if (name === 'workbookPr') {
      is1904 = isTrue(attributes['date1904']);
      return;
    }
    const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1] ?? '';
    const target = relations.byId.get(id);
    if (target === undefined || !target.type.endsWith('/worksheet')) return;
    const isHidden = (attributes['state'] ?? 'visible') !== 'visible';
    sheets.push({ name: attributes['name'] ?? '', isHidden, path: target.path });
  });
  const strings = relations.ofType('/sharedStrings') ?? 'xl/sharedstrings.xml';
  const styles = relations.ofType('/styles') ?? 'xl/styles.xml';
  return {
    entries,
    sheets,
    is1904,
    sharedStrings: entries.has(strings) ? strings : null,
    dateKinds: entries.has(styles) ? await readDateKinds(parts, styles) : [],
  };
}

/** Hidden sheets come last. */
export const sheetNames = ({ sheets }: Workbook): readonly string[] =>
  [...sheets].sort((a, b) => Number(a.isHidden) - Number(b.isHidden)).map(({ name }) => name);

/** A visible sheet, if there is one. @throws AppError `invalid` */
export function chosenSheet({ sheets }: Workbook, name: string | null): Sheet {
  const sheet =
    name === null ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]) : sheets.find((one) => one.name === name);
  if (sheet) return sheet;
  throw AppError.invalid(
    name === null
      ? 'The workbook has no sheet with rows.'
      : `The workbook has no sheet “${name}”, but ${namesOf(sheets)}. Choose one of these.`,
  );
}

/** Sheets in one sentence. */
const MOST_NAMES = 8;

function namesOf(sheets: readonly Sheet[]): string {
  const names = sheets.slice(0, MOST_NAMES).map(({ name }) => `“${name}”`);
  return sheets.length > MOST_NAMES ? `${names.join(', ')} and ${sheets.length - MOST_NAMES} more` : names.join(', ');
}

interface Relations {
  readonly byId: ReadonlyMap<string, { readonly type: string; readonly path: string }>;
  ofType(end: string): string | null;
}

/** A workbook whose parts are read. */
interface Parts {
  readonly source: ByteSource;
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly limits: ReadingLimits;
}

async function readRelations(parts: Parts, of: string): Promise<Relations> {
  const slash = of.lastIndexOf('/') + 1;
  const folder = of.slice(0, slash);
  const path = foldedPart(`${folder}_rels/${of.slice(slash)}.rels`);
  const byId = new Map<string, { readonly type: string; readonly path: string }>();
  if (parts.entries.has(path)) {
    await readPart(parts, path, ['Relationship'], (_name, read) => {
      const { Id = '', Type = '', Target = '' } = read();
      byId.set(Id, { type: Type, path: partNamed(parts.entries, resolved(folder, Target)) });
    });
  }
  return { byId, ofType: (end) => [...byId.values()].find(({ type }) => type.endsWith(end))?.path ?? null };
}

/** Some programs write what a target has in percent signs plainly in the name of its part. */
function partNamed(entries: Parts['entries'], target: string): string {
  if (entries.has(target) || !target.includes('%')) return target;
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** The folded name of a part. It is only used as a name in the table of contents: no file is opened with it. */
function resolved(folder: string, written: string): string {
  const parts: string[] = [];
  const target = foldedPart(written.replaceAll('\\', '/'));
  for (const part of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const STYLE_NAMES = ['numFmt', 'cellXfs', 'cellStyles', 'dxfs', 'xf'];

async function readDateKinds(parts: Parts, path: string): Promise<readonly (DateKind | null)[]> {
  const codes = new Map<number, string>();
  /** By the number of a format: thousands of styles share one. */
  const byFormat = new Map<number, DateKind | null>();
  const kinds: (DateKind | null)[] = [];
  let isCellStyle = false;
  await readPart(parts, path, STYLE_NAMES, (name, read) => {
    if (name === 'cellXfs') isCellStyle = true;
    else if (name === 'cellStyles' || name === 'dxfs') isCellStyle = false;
    else if (name === 'numFmt') {
      const attributes = read();
      codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
    } else if (isCellStyle) {
      const id = Number(read()['numFmtId'] ?? 0);
      let kind = byFormat.get(id);
      if (kind === undefined) byFormat.set(id, (kind = dateKind(id, codes.get(id))));
      kinds.push(kind);
    }
  });
  return kinds;
}

/** @throws AppError `too-big` for a part that says more, or more of it, than any that Excel writes */
async function readPart(
  { source, entries, limits }: Parts,
  path: string,
  names: readonly string[],
  open: OnOpen,
): Promise<void> {
  const entry = entries.get(path)!;
  if (entry.sizeBytes > limits.describingBytes)
    throw tooBig(path, `is larger than ${sizeText(limits.describingBytes)}`);
  let told = 0;
  await readSmallPart(await openZipEntry(source, entry), names, (name, read) => {
    if (told++ === limits.described)
      throw tooBig(path, `names more than ${limits.described.toLocaleString('en-US')} things`);
    open(name, read);
  });
}

const tooBig = (path: string, what: string): AppError =>
  AppError.tooBig(`“${path}” in the workbook ${what}. Save the workbook again.`);

const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true' || text === 'on';

/** Workbooks with a password, and those of Excel 97 to 2003, are OLE files. */
async function refuseOthers(source: ByteSource): Promise<void> {
  const first = await source.read(0, 1 << 20);
  if (!OLE_SIGNATURE.every((byte, at) => first[at] === byte)) return;
  const isEncrypted = new TextDecoder('utf-16le').decode(first).includes('EncryptedPackage');
  throw AppError.unavailable(
    isEncrypted
      ? 'The workbook is protected by a password. Save it without one and try again.'
      : 'The file is an Excel 97–2003 workbook (.xls). Open it in Excel or LibreOffice, save it as .xlsx, and import that.',
  );
}

function noWorkbook(entries: ReadonlyMap<string, ZipEntry>): AppError {
  const message = entries.has('xl/workbook.bin')
    ? 'The workbook is binary (.xlsb). Save it as .xlsx and try again.'
    : entries.has('content.xml')
      ? 'This is an OpenDocument file. Save it as .xlsx or CSV and try again.'
      : 'The file is a ZIP archive, but not a workbook. Nothing was changed. Unpack it and import what is in it.';
  return AppError.unavailable(message);
}

/** @param attributes made only where they are asked for: most elements of these parts say nothing that is needed */
type OnOpen = (name: string, attributes: () => Readonly<Record<string, string>>) => void;

/** Reads the whole part. @param names of the elements that are told @throws AppError `invalid` */
async function readSmallPart(stream: ZipStream, names: readonly string[], open: OnOpen): Promise<void> {
  const tell = (tag: XmlTag): void => {
    const name = names[tag.name];
    if (name !== undefined) open(name, () => tag.attributes());
  };
  const scanner = new XmlScanner({ open: tell, close: () => undefined, text: () => undefined }, names);
  for (let bytes = await stream.next(); bytes !== null; bytes = await stream.next()) scanner.write(bytes);
  scanner.finish();
}

// Dates of Excel: numbers of days, which are dates by the format of their cell alone (ECMA-376 part 1, 18.17.4 and 18.8.30).

/** `date`: day alone. `time`: time of day. `duration`: hours that continue beyond 24. `both`: day and time. */
export type DateKind = 'date' | 'time' | 'duration' | 'both';

/** Formats without a code in the file; those of East Asian Excel are 27 to 36 and 50 to 58. */
const BUILT_IN: Readonly<Record<number, DateKind>> = {
  ...Object.fromEntries([14, 15, 16, 17].map((id) => [id, 'date'])),
  ...Object.fromEntries([18, 19, 20, 21].map((id) => [id, 'time'])),
  22: 'both',
  ...Object.fromEntries([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'date'])),
  ...Object.fromEntries([32, 33, 34, 35, 45, 47].map((id) => [id, 'time'])),
  46: 'duration',
};

/** Null: no date. @param code - the number format in the file, where it has one for the number. */
export function dateKind(id: number, code: string | undefined): DateKind | null {
  if (code === undefined) return BUILT_IN[id] ?? null;
  // Excel takes no longer one.
  if (code.length > 255) return null;
  if (/\[(?:h+|m+|s+)\]/i.test(code)) return 'duration';
  // Text that is quoted, escaped, a fill, a width, or in brackets (colors, conditions, languages) is not part of a date. The first section
  // is for positive numbers.
  const plain = code
    .replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '')
    .split(';')[0]!
    .toLowerCase();
  if (/general|[#?0]/.test(plain.replace(/[.,]0+/g, ''))) return null;
  const hasTime = /[hs]|am\/pm|a\/p/.test(plain);
  const hasDay = /[ydegb]/.test(plain.replace(/am\/pm|a\/p/g, '')) || (!hasTime && plain.includes('m'));
  return hasDay ? (hasTime ? 'both' : 'date') : hasTime ? 'time' : null;
}

const DAY_MS = 86_400_000;
/** Day 0 of the calendar that begins with 1904. */
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** Day 0 of the other calendar, as counted from March 1900 on: it has a February 29, 1900, which never existed. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const FALSE_LEAP_DAY = 60;
/** December 31, 9999. */
const LAST_DAY = 2_958_465;

/** ISO 8601 as SQLite's own functions write it; null for a number that is not a date of Excel, which stays a number. */
export function excelDate(serial: number, kind: DateKind, is1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > LAST_DAY + 1) return null;
  const ms = Math.round(serial * DAY_MS);
  const day = Math.floor(ms / DAY_MS);
  const time = ms % DAY_MS;
  // A time that is rounded up to the end of its day is still no day.
  if (kind === 'duration' || (kind === 'time' && serial < 1)) return clock(ms);
  // Nothing that is there is left out, whatever the format shows.
  const withTime = kind !== 'date' || time !== 0 ? ` ${clock(time)}` : '';
  if (!is1904 && day === FALSE_LEAP_DAY) return `1900-02-29${withTime}`;
  if (!is1904 && day === 0) return null;
  const before = !is1904 && day < FALSE_LEAP_DAY ? DAY_MS : 0;
  const date = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + before + day * DAY_MS);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999
    ? null
    : `${date.toISOString().slice(0, 10)}${withTime}`;
}

function clock(ms: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = ms % 1000;
  const seconds = Math.floor(ms / 1000);
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`;
}
