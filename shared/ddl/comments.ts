// Assigns comments to the elements of a statement; see `Comment` in table-model.ts for the rule.
import type { Comment, CommentsOf, Span } from './table-model.ts';

const COMMENT = /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g;

/** The comments in a part of the text that otherwise contains only white space and commas. */
export function commentsIn(text: string, { from, to }: Span): Span[] {
  return Array.from(text.slice(from, to).matchAll(COMMENT), ({ index, 0: { length } }) => ({
    from: from + index,
    to: from + index + length,
  }));
}

interface GapComments {
  readonly behind: readonly Span[];
  readonly above: readonly Span[];
}

/**
 * Divides the comments between two elements.
 *
 * @param gap from the end of the previous element to the start of the next
 * @param hasNext whether another element follows, instead of the closing parenthesis
 */
function divideComments(text: string, gap: Span, hasNext: boolean): GapComments {
  const comments = commentsIn(text, gap);
  if (comments.length === 0) return { behind: [], above: [] };
  const comma = commaIn(text, gap, comments);
  const between = text.slice(gap.from, gap.to);
  const firstBreak = between.indexOf('\n');
  const endOfLine = firstBreak < 0 ? gap.to : gap.from + firstBreak;
  const lastBreak = gap.from + between.lastIndexOf('\n');
  const isBehind = (comment: Span): boolean => {
    if (comment.from > endOfLine) return false;
    const endsLine = comment.to <= lastBreak || !hasNext;
    return endsLine || (comma >= 0 && comment.to <= comma);
  };
  const behind = comments.filter(isBehind);
  const above: Span[] = [];
  let below = gap.to;
  for (const comment of hasNext ? comments.slice(behind.length).reverse() : []) {
    const distance = text.slice(comment.to, below);
    if (/\n[ \t\r]*\n/.test(distance)) break;
    above.push(comment);
    below = comment.from;
  }
  return { behind, above: above.reverse() };
}

/** The position of the comma between two elements; -1 if constraints follow each other without one. */
export function commaIn(text: string, gap: Span, comments: readonly Span[] = commentsIn(text, gap)): number {
  let at = gap.from;
  for (const comment of [...comments, { from: gap.to, to: gap.to }]) {
    const comma = text.slice(at, comment.from).indexOf(',');
    if (comma >= 0) return at + comma;
    at = comment.to;
  }
  return -1;
}

/** Merges adjacent comments into one, as a form shows it. */
function asComment(text: string, spans: readonly Span[]): Comment | null {
  if (spans.length === 0) return null;
  return {
    text: spans.map((span) => withoutMarks(text.slice(span.from, span.to))).join('\n'),
    span: { from: spans[0]!.from, to: spans.at(-1)!.to },
  };
}

function withoutMarks(comment: string): string {
  if (comment.startsWith('--')) return comment.slice(2).trim();
  return comment.slice(2, comment.endsWith('*/') && comment.length > 3 ? -2 : undefined).trim();
}

export function hasLineBreak(text: string, from: number, to: number): boolean {
  return text.slice(from, to).includes('\n');
}

/** The comments of each element of a list. @param body between the parentheses */
export function withComments(text: string, body: Span, elements: readonly { readonly span: Span }[]): CommentsOf[] {
  const ends = [body.from, ...elements.map(({ span }) => span.to)];
  // Gap 0 is before the first element, gap n after the last one.
  const gaps = ends.map((from, index) => {
    const next = elements[index];
    return divideComments(text, { from, to: next?.span.from ?? body.to }, next !== undefined);
  });
  return elements.map((_, index) => {
    const [{ above }, { behind }] = [gaps[index]!, gaps[index + 1]!];
    return { above, behind, comment: asComment(text, behind.length > 0 ? behind : above) };
  });
}
