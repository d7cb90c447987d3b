// What a window asks main to lay out as pages: texts and pictures, within limits that both sides know.

/** Rows and columns past these are left out, and the pages say so. */
export const MAX_PRINTED_ROWS = 5_000;
export const MAX_PRINTED_COLUMNS = 40;
/** Chromium cannot print 200,000 cells, and takes time with each: rows past this are left out, too. */
export const MAX_PRINTED_CELLS = 50_000;
/** A longer value is cut, and the pages say so. */
export const MAX_PRINTED_CELL_CHARS = 300;
/** A longer text or picture is refused. */
export const MAX_PRINTED_TEXT_CHARS = 5_000_000;

interface PrintedColumn {
  readonly name: string;
  /** Its values are numbers: they end at the same edge. */
  readonly isNumeric: boolean;
}

/** A picture that gets a page, as large as the page but not larger than it is on the screen. */
export interface PrintedPicture {
  /** Self-contained. */
  readonly svg: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface PrintedPages {
  readonly title: string;
  /** The database, the number of rows, and the date. */
  readonly subtitle: string;
  /** Full sentences about what is not on the pages. */
  readonly notes: readonly string[];
  readonly content:
    | {
        readonly kind: 'rows';
        readonly columns: readonly PrintedColumn[];
        /** Null stands for NULL. */
        readonly rows: readonly (readonly (string | null)[])[];
      }
    | { readonly kind: 'text'; readonly text: string }
    | ({ readonly kind: 'picture' } & PrintedPicture);
}

/** The bytes of a PDF, or a full sentence why there are none. */
export type PrintedPdf = Uint8Array | { readonly why: string };
