// A cell as a string, for human-readable formats. Their files are small, so the cost of one string per cell does not matter.
import { CellType } from '#shared/packed-rows/format.ts';
import type { BlobForm } from '#shared/protocol/export.ts';
import { ByteWriter, realText } from './byte-writer.ts';
import { isUtf8 } from './cells.ts';
import type { Cells } from './cells.ts';
import type { Losses } from './losses.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Null for NULL. */
export function cellText(
  cells: Cells,
  cell: number,
  { blobs, losses }: { readonly blobs: BlobForm; readonly losses: Losses },
): string | null {
  switch (cells.types[cell]) {
    case CellType.null:
      return null;
    case CellType.integer:
      return String(cells.float(cell));
    case CellType.bigInteger:
      return String(cells.bigint(cell));
    case CellType.real:
      return realText(cells.float(cell));
    case CellType.blob:
      return blobText(cells.bytes(cell), blobs);
    default:
      if (isUtf8(cells.heap, cells.start(cell), cells.length(cell))) return decoder.decode(cells.bytes(cell));
      losses.note('invalidText');
      return blobText(cells.bytes(cell), blobs);
  }
}

function blobText(bytes: Uint8Array, as: BlobForm): string {
  const out = new ByteWriter();
  if (as === 'base64') out.base64(bytes, 0, bytes.length);
  else out.hex(bytes, 0, bytes.length);
  return decoder.decode(out.take());
}
