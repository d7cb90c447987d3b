// Inserts, removes and moves elements of a list in parentheses (columns and constraints of a table, columns of an index), with their
// comments and in the style of the list.
import { commaIn, hasLineBreak } from './comments.ts';
import { applyEdits, cutPieces } from './text-edits.ts';
import type { TextEdit } from './text-edits.ts';
import type { Span } from './table-model.ts';

interface Element {
  readonly span: Span;
  readonly behind: readonly Span[];
  readonly above: readonly Span[];
}

/** An element to insert: its SQL, and its comments with their markers. */
export interface Piece {
  readonly sql: string;
  readonly above?: readonly string[];
  readonly behind?: readonly string[];
}

export interface ElementList {
  readonly text: string;
  /** Span between the parentheses. */
  readonly body: Span;
  readonly elements: readonly Element[];
}

function gapBehind({ body, elements }: ElementList, index: number): Span {
  const from = index < 0 ? body.from : elements[index]!.span.to;
  return { from, to: elements[index + 1]?.span.from ?? body.to };
}

/** Whether the comma starts the line of the element after it. */
function isLeadingComma(text: string, gap: Span, comma: number): boolean {
  return comma >= 0 && hasLineBreak(text, gap.from, comma) && !hasLineBreak(text, comma, gap.to);
}

/** Returns the text without one element, its comments, and one comma. */
export function removeElement(list: ElementList, index: number): string {
  const { text, elements } = list;
  const { span, above, behind } = elements[index]!;
  const gapAbove = gapBehind(list, index - 1);
  const commaAbove = index === 0 ? -1 : commaIn(text, gapAbove);
  const commaBehind = commaIn(text, gapBehind(list, index));
  const isLast = index === elements.length - 1;
  const takesAbove = isLast || (commaBehind >= 0 && isLeadingComma(text, gapAbove, commaAbove));
  const comma = takesAbove ? commaAbove : commaBehind;
  const pieces = [...above, span, ...behind, ...(comma < 0 ? [] : [{ from: comma, to: comma + 1 }])];
  return applyEdits(text, cutPieces(text, pieces));
}

/** Returns the text with one more element, at this index. */
export function insertElement(list: ElementList, index: number, piece: Piece): string {
  const edits = index === 0 ? insertFirst(list, piece) : insertBehindElement(list, index - 1, piece);
  return applyEdits(list.text, edits);
}

/** Returns the text with an element and its comments moved to another index. `parse` reads the text without it. */
export function moveElement(list: ElementList, from: number, to: number, parse: (text: string) => ElementList): string {
  const { text } = list;
  const { span, above, behind } = list.elements[from]!;
  const read = (part: Span): string => text.slice(part.from, part.to);
  const piece = { sql: read(span), above: above.map(read), behind: behind.map(read) };
  return insertElement(parse(removeElement(list, from)), to, piece);
}

function insertFirst(list: ElementList, piece: Piece): TextEdit[] {
  const { text, elements } = list;
  const [first] = elements;
  const at = first!.above[0]?.from ?? first!.span.from;
  const isMultiLine = hasLineBreak(text, list.body.from, at);
  const blank = isMultiLine || needsLines(piece) ? `\n${indentAt(text, at)}` : ' ';
  const gap = gapBehind(list, 0);
  const comma = commaIn(text, gap);
  if (elements.length > 1 && isLeadingComma(text, gap, comma)) {
    const { from } = first!.span;
    return [
      { from: at, to: at, text: `${render(piece, blank, '')}\n${indentAt(text, comma)}${from === at ? ', ' : ''}` },
      ...(from === at ? [] : [{ from, to: from, text: ', ' }]),
    ];
  }
  return [{ from: at, to: at, text: render(piece, blank, ',') + blank }];
}

function insertBehindElement(list: ElementList, index: number, piece: Piece): TextEdit[] {
  const { text, elements } = list;
  const { span, behind, above } = elements[index]!;
  const gap = gapBehind(list, index);
  const comma = commaIn(text, gap);
  const end = behind.at(-1)?.to ?? span.to;
  const endsLine = isLineComment(text, behind.at(-1));
  const begin = above[0]?.from ?? span.from;
  const gapAbove = gapBehind(list, index - 1);
  const isMultiLine = hasLineBreak(text, gapAbove.from, gapAbove.to) || endsLine || needsLines(piece);
  const blank = isMultiLine ? `\n${indentAt(text, begin)}` : ' ';
  const rest = (at: number): string => (needsLines(piece) && !/^[ \t\r]*\n/.test(text.slice(at, at + 80)) ? '\n' : '');
  const commaAbove = index === 0 ? -1 : commaIn(text, gapAbove);
  const leading = [
    ...(isLeadingComma(text, gap, comma) ? [comma] : []),
    ...(isLeadingComma(text, gapAbove, commaAbove) ? [commaAbove] : []),
  ][0];
  if (leading !== undefined && (comma < 0 || isLeadingComma(text, gap, comma))) {
    const line = `\n${indentAt(text, leading)}`;
    return [{ from: end, to: end, text: `${line}, ${render(piece, line, '')}${rest(end)}` }];
  }
  if (comma >= 0) {
    const at = Math.max(comma + 1, end);
    return [{ from: at, to: at, text: `${blank}${render(piece, blank, ',')}${rest(at)}` }];
  }
  const commaAt = isMultiLine ? span.to : end;
  return [
    { from: commaAt, to: commaAt, text: ',' },
    { from: end, to: end, text: `${blank}${render(piece, blank, '')}${rest(end)}` },
  ];
}

/** Line comments go after the comma, other comments before it: after the comma they would belong to the next element on the line. */
function render(piece: Piece, blank: string, comma: string): string {
  const { sql, above = [], behind = [] } = piece;
  const comments = behind.map((comment) => ` ${comment}`).join('');
  const end = behind.some((comment) => comment.startsWith('--')) ? comma + comments : comments + comma;
  return `${above.map((comment) => comment + blank).join('')}${sql}${end}`;
}

function needsLines({ above = [], behind = [] }: Piece): boolean {
  return [...above, ...behind].some((comment) => comment.startsWith('--'));
}

function isLineComment(text: string, comment: Span | undefined): boolean {
  return comment !== undefined && text.startsWith('--', comment.from);
}

/** The white space at the start of the line of `at`; two blanks if the statement starts on that line. */
export function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return line === 0 ? '  ' : /^[ \t]*/.exec(text.slice(line, at))![0];
}
