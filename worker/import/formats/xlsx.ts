// Workbooks of Excel since 2007 (.xlsx): the rows of one sheet. The reader is loaded with the first such file.
import type { ImportFormat, Detected, FileSample } from '../import-format.ts';
import { plainOptions } from '../plain-options.ts';

// Detects workbooks from the beginning of a file.

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

function detectXlsx({ bytes, fileName }: FileSample): Detected {
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

export const xlsxFormat: ImportFormat = {
  id: 'xlsx',
  detect: detectXlsx,
  read: async (source, options, limits) => (await import('../xlsx/sheet-reader.ts')).openSheet(source, options, limits),
  begin: async (source, options, given, limits) =>
    (await import('../xlsx/beginning.ts')).readBeginning(source, options, given, limits),
  parts: async (source, _options, limits) => {
    const { openWorkbook, sheetNames } = await import('../xlsx/workbook.ts');
    return { names: sheetNames(await openWorkbook(source, limits)), evidence: [] };
  },
};
