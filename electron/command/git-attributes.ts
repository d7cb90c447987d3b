// The lines that Sidelite has in a .gitattributes file, between two comments, so that exactly those can be removed again.

const BEGIN = '# Written by sidelite git-setup';
/** The line before had no end, and gets it back. */
const BEGIN_AFTER_OPEN_LINE = `${BEGIN}, after a line without an end`;
const END = '# End of what sidelite git-setup wrote';
const BLOCK = new RegExp(
  `(\\r?\\n)?(?<![^\\n])${BEGIN}(, after a line without an end)?\\r?\\n(?:.*\\n)*?${END}(?:\\r?\\n|$)`,
);

/** The text with these lines at its end, or in the place where earlier ones were. */
export function withBlock(text: string, lines: readonly string[]): string {
  const found = BLOCK.exec(text);
  const isOpen = found ? found[2] !== undefined : text !== '' && !text.endsWith('\n');
  const block = [isOpen ? BEGIN_AFTER_OPEN_LINE : BEGIN, ...lines, END].map((line) => `${line}\n`).join('');
  if (found) return text.slice(0, found.index) + (found[1] ?? '') + block + text.slice(found.index + found[0].length);
  return `${text}${isOpen ? '\n' : ''}${block}`;
}

export function withoutBlock(text: string): string {
  const found = BLOCK.exec(text);
  if (!found) return text;
  const rest = text.slice(found.index + found[0].length);
  // What was added after it begins a new line.
  const isOpen = found[2] !== undefined && rest === '';
  return text.slice(0, found.index) + (isOpen ? '' : (found[1] ?? '')) + rest;
}
