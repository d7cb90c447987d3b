// Line endings of a text while it is edited: a text field knows only line feeds, so each line gets its own ending back when the text is saved.

export type LineEndings = 'lf' | 'crlf' | 'cr' | 'mixed';

const BREAK = /\r\n|\r|\n/g;

/** Null for a single line. */
export function lineEndingsOf(text: string): LineEndings | null {
  const found = new Set(text.match(BREAK));
  if (found.size === 0) return null;
  if (found.size > 1) return 'mixed';
  return found.has('\r\n') ? 'crlf' : found.has('\r') ? 'cr' : 'lf';
}

/** The text with the line endings of a text field. */
export const asEdited = (text: string): string => text.replace(BREAK, '\n');

const ENDINGS = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

/**
 * The text with the chosen line endings. `mixed`: lines before and after the changed ones keep theirs, changed lines keep those of the
 * lines they replace, and additional lines end like the line before.
 */
export function asSaved(edited: string, original: string, endings: LineEndings | null): string {
  if (endings !== 'mixed') return edited.replaceAll('\n', ENDINGS[endings ?? 'lf']);
  const was = linesOf(original);
  const now = edited.split('\n');
  let same = 0;
  while (same < now.length && same < was.length && was[same]!.text === now[same]) same++;
  const most = Math.min(was.length, now.length) - same;
  let tail = 0;
  while (tail < most && was[was.length - 1 - tail]!.text === now[now.length - 1 - tail]) tail++;
  let ending = was[0]!.ending;
  const lines = now.map((text, at) => {
    const fromEnd = now.length - at;
    const old = fromEnd <= tail ? was[was.length - fromEnd] : at < was.length - tail ? was[at] : undefined;
    const own = old && old.ending !== '' ? old.ending : ending;
    // After a carriage return alone, a line feed on an empty line would end the line before instead.
    ending = text === '' && at > 0 && ending === '\r' && own === '\n' ? '\r' : own;
    return at === now.length - 1 ? text : text + (ending || '\n');
  });
  return lines.join('');
}

interface Line {
  readonly text: string;
  readonly ending: string;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const { 0: ending, index } of text.matchAll(BREAK)) {
    lines.push({ text: text.slice(from, index), ending });
    from = index + ending.length;
  }
  return [...lines, { text: text.slice(from), ending: '' }];
}
