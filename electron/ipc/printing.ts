// Pages that a window asks main to lay out as a PDF.
import * as v from 'valibot';
import {
  MAX_PRINTED_CELL_CHARS,
  MAX_PRINTED_COLUMNS,
  MAX_PRINTED_ROWS,
  MAX_PRINTED_TEXT_CHARS,
} from '#shared/printing.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import { pdfOf } from '../windows/printed-pages.ts';

/** Hidden characters are shown as codes, which are longer. */
const CELL = v.pipe(v.string(), v.maxLength(10 * MAX_PRINTED_CELL_CHARS));
const LINE = v.pipe(v.string(), v.maxLength(10_000));
const PIXELS = v.pipe(v.number(), v.minValue(1), v.maxValue(1e7));
const PAGES = v.object({
  title: LINE,
  subtitle: LINE,
  notes: v.pipe(v.array(LINE), v.maxLength(100)),
  content: v.variant('kind', [
    v.object({
      kind: v.literal('rows'),
      columns: v.pipe(
        v.array(v.object({ name: LINE, isNumeric: v.boolean() })),
        v.minLength(1),
        v.maxLength(MAX_PRINTED_COLUMNS),
      ),
      rows: v.pipe(
        v.array(v.pipe(v.array(v.nullable(CELL)), v.maxLength(MAX_PRINTED_COLUMNS))),
        v.maxLength(MAX_PRINTED_ROWS),
      ),
    }),
    v.object({ kind: v.literal('text'), text: v.pipe(v.string(), v.maxLength(MAX_PRINTED_TEXT_CHARS)) }),
    v.object({
      kind: v.literal('picture'),
      svg: v.pipe(v.string(), v.maxLength(MAX_PRINTED_TEXT_CHARS)),
      width: PIXELS,
      height: PIXELS,
    }),
  ]),
});

export function servePrinting({ answer }: TrustedIpc): void {
  answer('print.toPdf', (window, pages) => pdfOf(v.parse(PAGES, pages), window));
}
