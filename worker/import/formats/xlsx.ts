// Workbooks of Excel since 2007 (.xlsx): the rows of one sheet. The reader is loaded with the first such file.
import type { ImportFormat } from '../import-format.ts';
import { detectXlsx } from '../xlsx/detect-xlsx.ts';

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
