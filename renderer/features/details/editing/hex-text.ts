// Bytes as hexadecimal digits that can be edited, and back.

/** More bytes would not fit in the panel at its initial width, and would wrap in the middle. */
const BYTES_PER_LINE = 8;

export function hexOf(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_LINE) {
    const line = bytes.subarray(at, at + BYTES_PER_LINE);
    lines.push(Array.from(line, (byte) => byte.toString(16).padStart(2, '0')).join(' '));
  }
  return lines.join('\n');
}

/** The bytes, or a sentence why the text is invalid. White space, `0x` at the start, and the form `X'…'` are accepted. */
export function bytesOf(text: string): Uint8Array | string {
  const literal = /^\s*x'([^']*)'\s*$/i.exec(text);
  const digits = (literal?.[1] ?? text.replace(/^\s*0x/i, '')).replace(/\s+/g, '');
  const wrong = /[^0-9a-f]/iu.exec(digits);
  if (wrong) return `“${wrong[0]}” is not a hexadecimal digit.`;
  if (digits.length % 2 === 1) return 'The last byte has only one digit.';
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}
