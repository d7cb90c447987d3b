// How cells of all grids of the window show values that can be shown in more than one way. Never what is copied or edited.

export interface CellFormat {
  readonly nullText: string;
  readonly groupsDigits: boolean;
  readonly dates: 'stored' | 'utc' | 'local';
  readonly blobs: 'size' | 'hex';
}

export let cellFormat: CellFormat = { nullText: 'NULL', groupsDigits: false, dates: 'stored', blobs: 'size' };

/** Grids on screen follow once an attribute of the document changes, as with a theme. */
export function setCellFormat(format: CellFormat): void {
  cellFormat = format;
}
