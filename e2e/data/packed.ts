// Archives for stories.
import { crc32, deflateRawSync } from 'node:zlib';

const number = (value: number, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
};

/** A ZIP file (PKWARE APPNOTE 6.3) with these files, deflated. */
export function zipOf(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [packed, nameBytes] = [deflateRawSync(content), Buffer.from(name)];
    const common = [
      ...[number(20, 2), number(0, 2), number(8, 2), number(0, 4), number(crc32(content), 4)],
      ...[number(packed.length, 4), number(content.length, 4), number(nameBytes.length, 2), number(0, 2)],
    ];
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), ...common, nameBytes, packed]);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        number(20, 2),
        ...common,
        Buffer.alloc(10),
        number(offset, 4),
        nameBytes,
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const contents = Buffer.concat(directory);
  const count = number(directory.length, 2);
  const end = [
    Buffer.from('PK\x05\x06'),
    number(0, 4),
    count,
    count,
    number(contents.length, 4),
    number(offset, 4),
    number(0, 2),
  ];
  return Buffer.concat([...parts, contents, ...end]);
}
