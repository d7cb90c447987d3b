// Workbooks for tests, part by part, with whatever is wrong with them.
import { crc32, deflateRawSync } from 'node:zlib';

interface MadeEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly isStored?: boolean;
  /** Deflated content, instead of `content`. */
  readonly packed?: Buffer;
  /** False entries of the table of contents. */
  readonly lies?: {
    readonly sizeBytes?: number;
    readonly compressedBytes?: number;
    readonly offset?: number;
    readonly flags?: number;
    readonly method?: number;
  };
}

/** @param is64 - every number is in the ZIP64 fields. */
export function zip(entries: readonly MadeEntry[], is64 = false): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored = false, packed, lies = {} } of entries) {
    const plain = Buffer.from(content);
    const data = packed ?? (isStored ? plain : deflateRawSync(plain));
    const method = lies.method ?? (isStored ? 0 : 8);
    const sizes = [lies.sizeBytes ?? plain.length, lies.compressedBytes ?? data.length, lies.offset ?? offset];
    const extra = is64 ? Buffer.concat([u16(1, 24), ...sizes.map((size) => u64(size))]) : Buffer.alloc(0);
    const [size, compressed, at] = is64 ? [0xffffffff, 0xffffffff, 0xffffffff] : sizes;
    const nameBytes = Buffer.from(name);
    const common = [u16(lies.flags ?? 0, method, 0, 0), u32(crc32(plain), compressed!, size!)];
    const header = Buffer.concat([u32(0x04034b50), u16(20), ...common, u16(nameBytes.length, 0), nameBytes]);
    directory.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(20, 20),
        ...common,
        u16(nameBytes.length, extra.length, 0, 0, 0),
        u32(0, at!),
        nameBytes,
        extra,
      ]),
    );
    parts.push(header, data);
    offset += header.length + data.length;
  }
  const contents = Buffer.concat(directory);
  const end64 = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(entries.length),
    u64(entries.length),
    u64(contents.length),
    u64(offset),
  ]);
  const locator = Buffer.concat([u32(0x07064b50, 0), u64(offset + contents.length), u32(1)]);
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0, 0, entries.length, entries.length),
    u32(is64 ? 0xffffffff : contents.length, is64 ? 0xffffffff : offset),
    u16(0),
  ]);
  return new Uint8Array(Buffer.concat([...parts, contents, ...(is64 ? [end64, locator] : []), end]));
}

const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
const u64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);

export interface MadeWorkbook {
  /** XML of `sheetData`. */
  readonly rows: string;
  /** XML of `sst`. */
  readonly strings?: string;
  /** Format codes, by style. */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
  readonly state?: string;
  readonly more?: readonly MadeEntry[];
}

export function workbookEntries({
  rows,
  strings,
  formats,
  is1904 = false,
  state = 'visible',
  more = [],
}: MadeWorkbook): readonly MadeEntry[] {
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (targets: readonly (readonly [string, string])[]): string =>
    `<Relationships>${targets.map(([type, target], at) => `<Relationship Id="r${at}" Type="${relation}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
  const numFmts = formats
    ?.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
    .join('');
  const xfs = formats?.map((_code, at) => `<xf numFmtId="${200 + at}"/>`).join('');
  return [
    { name: '_rels/.rels', content: relations([['officeDocument', '/xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `<x:workbook xmlns:x="m" xmlns:r="r"><x:workbookPr date1904="${is1904 ? 1 : 0}"/><x:sheets><x:sheet name="One" state="${state}" sheetId="1" r:id="r0"/></x:sheets></x:workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relations([['worksheet', 'worksheets/one.xml']]) },
    {
      name: 'xl/worksheets/one.xml',
      content: `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`,
    },
    ...(strings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', content: `<sst>${strings}</sst>` }]),
    ...(formats === undefined
      ? []
      : [
          {
            name: 'xl/styles.xml',
            content: `<styleSheet><numFmts>${numFmts}</numFmts><cellXfs>${xfs}</cellXfs></styleSheet>`,
          },
        ]),
    ...more,
  ];
}

export const workbook = (made: MadeWorkbook, is64 = false): Uint8Array => zip(workbookEntries(made), is64);
