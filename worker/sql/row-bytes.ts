// Rows as bytes, to be stored in one of our own tables: each value with its storage class, exact to the last bit.
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';

const Tag = { null: 0, number: 1, bigint: 2, real: 3, text: 4, rawText: 5, blob: 6 } as const;
const LENGTH_BYTES = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns equal bytes exactly for equal rows. */
export function rowBytes(values: readonly Value[]): Uint8Array {
  const parts = values.map(contentOf);
  const bytes = new Uint8Array(parts.reduce((sum, { content }) => sum + 1 + LENGTH_BYTES + content.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { tag, content } of parts) {
    bytes[at] = tag;
    view.setUint32(at + 1, content.length, true);
    bytes.set(content, at + 1 + LENGTH_BYTES);
    at += 1 + LENGTH_BYTES + content.length;
  }
  return bytes;
}

export function rowOfBytes(bytes: Uint8Array): Value[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const values: Value[] = [];
  for (let at = 0; at < bytes.length;) {
    const from = at + 1 + LENGTH_BYTES;
    const to = from + view.getUint32(at + 1, true);
    values.push(valueOf(bytes[at]!, bytes.subarray(from, to), view, from));
    at = to;
  }
  return values;
}

const NOTHING = new Uint8Array();

function contentOf(value: Value): { readonly tag: number; readonly content: Uint8Array } {
  if (value === null) return { tag: Tag.null, content: NOTHING };
  if (typeof value === 'string') return { tag: Tag.text, content: encoder.encode(value) };
  if (typeof value === 'number') return { tag: Tag.number, content: eightBytes((view) => view.setFloat64(0, value)) };
  if (typeof value === 'bigint') return { tag: Tag.bigint, content: eightBytes((view) => view.setBigInt64(0, value)) };
  if (isReal(value)) return { tag: Tag.real, content: eightBytes((view) => view.setFloat64(0, value.real)) };
  return isRawText(value) ? { tag: Tag.rawText, content: value.textBytes } : { tag: Tag.blob, content: value };
}

function valueOf(tag: number, content: Uint8Array, view: DataView, at: number): Value {
  switch (tag) {
    case Tag.null:
      return null;
    case Tag.number:
      return view.getFloat64(at);
    case Tag.bigint:
      return view.getBigInt64(at);
    case Tag.real:
      return { real: view.getFloat64(at) };
    case Tag.text:
      return decoder.decode(content);
    case Tag.rawText:
      return { textBytes: content.slice() };
    default:
      return content.slice();
  }
}

function eightBytes(write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(8);
  write(new DataView(bytes.buffer));
  return bytes;
}
