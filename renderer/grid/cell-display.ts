// What a cell shows: pure, from packed rows to a few words and how to paint them.
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { formatBytes } from '../ui/format.ts';

export type CellStyle = 'text' | 'number' | 'null' | 'blob';

export interface CellDisplay {
  readonly text: string;
  readonly style: CellStyle;
  /** The text holds symbols that stand for control characters: those are painted dimmed. */
  readonly hasSymbols: boolean;
  /** Only the beginning of the value is here: painted with … at the end. */
  readonly cut: boolean;
}

/** No column is wide enough for more, so the rest is neither searched nor measured. */
const MAX_CHARACTERS = 400;

const CONTROL = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;
const NULL_CELL: CellDisplay = { text: 'NULL', style: 'null', hasSymbols: false, cut: false };

/** `column` counts packed columns. */
export function displayCell(rows: PackedRowsReader, row: number, column: number): CellDisplay {
  switch (rows.type(row, column)) {
    case CellType.null:
      return NULL_CELL;
    case CellType.blob:
    case CellType.blobPreview:
      return {
        text: `blob · ${formatBytes(rows.sizeBytes(row, column))}`,
        style: 'blob',
        hasSymbols: false,
        cut: false,
      };
    case CellType.text:
    case CellType.textPreview:
      return displayText(rows.text(row, column), rows.isPreview(row, column));
    default:
      return { text: rows.text(row, column), style: 'number', hasSymbols: false, cut: false };
  }
}

export function displayText(text: string, cut: boolean): CellDisplay {
  const kept = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
  const hasSymbols = CONTROL.test(kept);
  return {
    text: hasSymbols ? withSymbols(kept) : kept,
    style: 'text',
    hasSymbols,
    cut: cut || kept.length < text.length,
  };
}

/** Line breaks as ⏎, tabs as ⇥, other control characters as Unicode's own pictures of them. */
function withSymbols(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 13 && text.charCodeAt(at + 1) === 10) continue;
    if (code === 10 || code === 13 || code === 0x85 || code === 0x2028 || code === 0x2029) out += '⏎';
    else if (code === 9) out += '⇥';
    else if (code < 32) out += String.fromCharCode(0x2400 + code);
    else out += code === 127 ? '␡' : text[at];
  }
  return out;
}

export const isSymbol = (character: string): boolean =>
  character === '⏎' || character === '⇥' || (character >= '\u2400' && character <= '\u2421');
