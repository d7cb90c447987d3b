// Comments that MySQL runs: `/*!40101 SET … */`.
import type { TokenDialect } from './tokens.ts';

const OPENS = /['"`]|\/\*|--\s|#/g;
const NEVER = /^\/\*M?!99\d{3,4}/;
/** `/*!` and the version from which on MySQL or MariaDB reads it. */
const EXECUTED = /^\/\*M?!\d*/;

export const isExecutedComment = (text: string, at: number): boolean => {
  const start = text.slice(at, at + 12);
  return EXECUTED.test(start) && !NEVER.test(start);
};

/** The statement with what is in such comments; texts between quotes stay as they are. */
export function withExecutedComments(text: string, dialect: TokenDialect): string {
  if (!/\/\*M?!/.test(text)) return text;
  let result = '';
  let from = 0;
  OPENS.lastIndex = 0;
  for (let found = OPENS.exec(text); found; found = OPENS.exec(text)) {
    const { index: at } = found;
    if (isExecutedComment(text, at)) {
      const inside = at + EXECUTED.exec(text.slice(at, at + 12))![0].length;
      const close = text.indexOf('*/', inside);
      const end = close < 0 ? text.length : close;
      result += text.slice(from, at) + text.slice(inside, end);
      from = OPENS.lastIndex = Math.min(end + 2, text.length);
    } else OPENS.lastIndex = endOf(text, at, dialect);
  }
  return (result + text.slice(from)).trim();
}

/** The end of the quoted text, name, or comment at `at`. */
function endOf(text: string, at: number, dialect: TokenDialect): number {
  const quote = text[at]!;
  const hasEscapes = quote === "'" || (quote === '"' && dialect === 'mysql');
  if (quote === '/') return after(text, '*/', at + 2);
  if (quote === '-' || quote === '#') return after(text, '\n', at);
  for (let place = at + 1; place < text.length; place++) {
    if (text[place] === '\\' && hasEscapes) place++;
    else if (text[place] === quote) return place + 1;
  }
  return text.length;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
