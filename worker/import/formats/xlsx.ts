// Workbooks of Excel since 2007 (.xlsx): the rows of one sheet. The reader is loaded with the first such file.
import type { ImportFormat } from '../import-format.ts';
import { detectXlsx } from '../xlsx/detect-xlsx.ts';

export const xlsxFormat: ImportFormat = {
  id: 'xlsx',
  detect: detectXlsx,
  read: async (source, options) => (await import('../xlsx/sheet-reader.ts')).openSheet(source, options),
  begin: async (source, options, given) => (await import('../xlsx/beginning.ts')).readBeginning(source, options, given),
  parts: async (source) => {
    const { openWorkbook, sheetNames } = await import('../xlsx/workbook.ts');
    return sheetNames(await openWorkbook(source));
  },
};
