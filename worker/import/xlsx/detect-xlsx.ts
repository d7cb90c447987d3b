// Detects workbooks from the beginning of a file.
import type { Detected, FileSample } from '../import-format.ts';
import { plainOptions } from '../plain-options.ts';

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

export function detectXlsx({ bytes, fileName }: FileSample): Detected {
  const isZip = ZIP.every((byte, at) => bytes[at] === byte);
  const isOle = OLE.every((byte, at) => bytes[at] === byte);
  const hasName = /\.(?:xlsx|xlsm|xltx|xltm|xls|xlsb|ods)$/i.test(fileName);
  // Nothing else that people import is a ZIP file: its content is reported when it is opened.
  const isEmpty = hasName && bytes.length === 0;
  const certainty = isZip || isOle || isEmpty ? (hasName ? 1 : 0.9) : 0;
  return {
    certainty,
    options: plainOptions('xlsx', { hasHeader: true }),
    evidence: [
      {
        option: 'format',
        reason: isOle ? 'It begins as files of Excel 97 to 2003 do.' : 'It is a ZIP file, as workbooks are.',
      },
    ],
  };
}
