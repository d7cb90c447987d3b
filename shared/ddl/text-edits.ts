// Edits of a text that leave everything else unchanged and never join adjacent tokens.
import { commentsIn } from './comments.ts';
import { quoteName, sameName, writeName } from './names.ts';
import type { Span } from './table-model.ts';

export interface TextEdit extends Span {
  readonly text: string;
}

/** Edits do not overlap; edits at the same position are applied in the given order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((one, other) => one.from - other.from);
  const parts: string[] = [];
  let at = 0;
  for (const edit of sorted) {
    parts.push(text.slice(at, edit.from), edit.text);
    at = edit.to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Replaces a name, quoted if it would otherwise join with an adjacent word. */
export function replaceName(text: string, { from, to }: Span, name: string): TextEdit {
  const touches = WORD_CHARACTER.test(text[from - 1] ?? '') || WORD_CHARACTER.test(text[to] ?? '');
  return { from, to, text: touches ? quoteName(name) : writeName(name) };
}

interface Named {
  readonly text: string;
  readonly name: { readonly name: string; readonly span: Span };
}

/** The statement of an object with another name for that object. */
export const renameObject = ({ text, name }: Named, to: string): string =>
  name.name === to ? text : applyEdits(text, [replaceName(text, name.span, to)]);

interface OnTable {
  readonly text: string;
  readonly table: { readonly name: string; readonly span: Span };
}

/** The statement of an index or a trigger on another table. */
export const moveToTable = ({ text, table }: OnTable, to: string): string =>
  sameName(table.name, to) ? text : applyEdits(text, [replaceName(text, table.span, to)]);

const WORD_CHARACTER = /[\w$\u0080-\uffff]/;

/** Inserts `sql` after a token, separated by blanks from the text around it. */
export function insertBehind(text: string, at: number, sql: string): TextEdit {
  return { from: at, to: at, text: ` ${sql}${needsBlank(text, at) ? ' ' : ''}` };
}

/** Removes the tokens of `span` with the white space before them. Comments before them stay. */
export function cutBehind(text: string, previousEnd: number, span: Span): TextEdit {
  const kept = commentsIn(text, { from: previousEnd, to: span.from }).at(-1);
  const from = kept?.to ?? previousEnd;
  // A line comment needs the end of its line.
  const isLineComment = kept !== undefined && text.startsWith('--', kept.from);
  return { from, to: span.to, text: isLineComment ? '\n' : needsBlank(text, span.to) ? ' ' : '' };
}

/** Whether a word inserted before this position would join with the existing text. */
function needsBlank(text: string, at: number): boolean {
  return at < text.length && !/[\s,;)]/.test(text[at]!);
}

/** Removes whole pieces, each with the empty line or extra blanks it would leave. */
export function cutPieces(text: string, pieces: readonly Span[]): TextEdit[] {
  const joined: Span[] = [];
  for (const piece of [...pieces].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && /^[ \t]*$/.test(text.slice(last.to, piece.from)))
      joined[joined.length - 1] = { from: last.from, to: piece.to };
    else joined.push(piece);
  }
  return joined.map((piece) => ({ ...withBlanks(text, piece), text: '' }));
}

function withBlanks(text: string, { from, to }: Span): Span {
  let left = from;
  while (/[ \t]/.test(text[left - 1] ?? '')) left -= 1;
  let right = to;
  while (/[ \t\r]/.test(text[right] ?? '')) right += 1;
  const before = text[left - 1];
  const behind = text[right];
  if (before === '\n' && behind === '\n') return { from: left, to: right + 1 };
  if (before !== '\n' && before !== '(' && (behind === '\n' || behind === ')')) return { from: left, to: right };
  return { from, to: right };
}
