// Position at which a grid begins when it appears.

export interface GridStart {
  readonly topRow: number;
  /**
   * The current cell; without a column, the cell in the first column that is shown. Default: at the top, so that the first arrow key
   * scrolls nowhere.
   */
  readonly cell?: { readonly row: number; readonly column: number | undefined };
}
