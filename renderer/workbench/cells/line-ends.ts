// Line ends of a text: a text field knows only line feeds, so others are put back when the text is stored.

export type LineEnds = 'lf' | 'crlf' | 'mixed';

export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'lf';
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? 'mixed' : 'crlf';
}

export const asTyped = (text: string): string => text.replaceAll('\r\n', '\n');

export const asStored = (typed: string, ends: LineEnds): string =>
  ends === 'crlf' ? typed.replaceAll('\n', '\r\n') : typed;
