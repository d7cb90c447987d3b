// What a value is, for showing it: image, JSON, bytes, text.
import { isRawText, isReal } from '#shared/protocol/index.ts';
import type { Value } from '#shared/protocol/index.ts';
import { formatReal } from '#shared/packed-rows/reader.ts';

export type Content =
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly text: string; readonly note: string | null }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

const JSON_LIMIT_CHARS = 2_000_000;

export function contentOf(value: Value): Content {
  if (value === null) return { kind: 'null' };
  if (isRawText(value))
    return { kind: 'text', text: new TextDecoder().decode(value.textBytes), note: 'not valid UTF-8' };
  if (value instanceof Uint8Array) {
    const mediaType = imageType(value);
    return mediaType ? { kind: 'image', mediaType, bytes: value } : { kind: 'bytes', bytes: value };
  }
  if (typeof value === 'string') return textContent(value);
  return { kind: 'text', text: isReal(value) ? formatReal(value.real) : String(value), note: null };
}

function textContent(text: string): Content {
  const pretty = prettyJson(text);
  if (pretty !== null) return { kind: 'json', text: pretty };
  return { kind: 'text', text, note: text.includes('\0') ? 'contains NUL characters' : null };
}

/** Null when the text is not a JSON object or array. Numbers keep their digits: they are never parsed. */
export function prettyJson(text: string): string | null {
  if (text.length > JSON_LIMIT_CHARS || !/^\s*[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return indent(text);
}

function indent(json: string): string {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  let depth = 0;
  let out = '';
  tokens.forEach((token, index) => {
    const isEmptyPair = (token === '}' || token === ']') && (tokens[index - 1] === '{' || tokens[index - 1] === '[');
    const newLine = (by: number): string => `\n${'  '.repeat((depth += by))}`;
    if (token === '}' || token === ']') out += isEmptyPair ? ((depth -= 1), token) : newLine(-1) + token;
    else if (token === '{' || token === '[') {
      const next = tokens[index + 1];
      out += token + (next === '}' || next === ']' ? ((depth += 1), '') : newLine(1));
    } else if (token === ',') out += token + newLine(0);
    else out += token === ':' ? ': ' : token;
  });
  return out;
}

const SIGNATURES: readonly (readonly [string, readonly (number | null)[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
];

export function imageType(bytes: Uint8Array): string | null {
  const found = SIGNATURES.find(([, signature]) =>
    signature.every((byte, index) => byte === null || bytes[index] === byte),
  );
  return found?.[0] ?? null;
}

/** Classic dump: offset, bytes, ASCII. */
export function hexDump(bytes: Uint8Array, limit: number, bytesPerLine: number): string {
  const end = Math.min(bytes.length, limit);
  const lines: string[] = [];
  for (let at = 0; at < end; at += bytesPerLine) {
    const part = bytes.subarray(at, Math.min(at + bytesPerLine, end));
    const hex = Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = Array.from(part, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}

/** How many bytes fit into a line of so many characters: 4, 8 or 16. */
export function bytesPerLine(characters: number): number {
  return [16, 8].find((count) => 6 + 2 + count * 3 - 1 + 2 + count <= characters) ?? 4;
}
