// How cells of all grids of the window show values that can be shown in more than one way. Copies and edits always have the exact value.

interface CellFormat {
  readonly nullText: string;
  readonly groupsDigits: boolean;
  readonly dates: 'stored' | 'utc' | 'local';
  readonly blobs: 'size' | 'hex';
  /** Font and size, on which the widths of columns depend. */
  readonly font: string;
}

export let cellFormat: CellFormat = { nullText: 'NULL', groupsDigits: false, dates: 'stored', blobs: 'size', font: '' };

/** Grids on screen follow once an attribute of the document changes, as with a theme. They measure their columns again if the format is another one. */
export function setCellFormat(format: CellFormat): void {
  const isSame = (Object.keys(format) as (keyof CellFormat)[]).every((key) => format[key] === cellFormat[key]);
  if (!isSame) cellFormat = format;
}
