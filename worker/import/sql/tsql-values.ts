// Values of SQL Server, written for SQLite: `N'…'`, `0x…`, `CAST(… AS …)`.
import { momentText } from './tsql-moments.ts';
import { digitsOf } from './inserted-rows.ts';
import { written } from './rewriting.ts';
import { isSign, isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import type { ColumnContent } from './column-content.ts';

const DEEPEST_CAST = 8;

/** Null: it cannot be written exactly. */
export function tsqlValue(value: readonly SqlToken[], holds: ColumnContent | null, depth = 0): string | null {
  const bare = withoutParentheses(value);
  const cast = castOf(bare);
  if (cast !== null) {
    const hex = cast.value.length === 2 || cast.value.length === 1 ? hexOf(cast.value) : null;
    if (hex !== null && /date|time/i.test(cast.type)) {
      const text = momentText(hex, cast.type);
      return text === null ? null : `'${text}'`;
    }
    return depth < DEEPEST_CAST ? tsqlValue(cast.value, holds, depth + 1) : null;
  }
  const hex = hexOf(bare);
  if (hex !== null) return `X'${hex}'`;
  const digits = holds === 'text' || holds === null ? digitsOf(bare) : null;
  // In a table that is not known, these are digits that REAL would lose.
  if (digits !== null && (holds === 'text' || digits.length > 18)) return digits;
  // SQLite would add what may be texts: `N'a' + N'b'`, `CHAR(13) + CHAR(10)`.
  const isSum =
    bare.some((token) => isSign(token, '+')) && bare.some(({ kind }) => kind === 'string' || kind === 'word');
  return isSum ? null : written(bare);
}

/** `((1))` */
export function withoutParentheses(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let [from, to] = [0, tokens.length];
  const closes = closings(tokens);
  while (to - from > 2 && isSign(tokens[from], '(') && closes.get(from) === to - 1) {
    from++;
    to--;
  }
  return tokens.slice(from, to);
}

/** The place of each parenthesis that closes, by that of the one it closes. */
function closings(tokens: readonly SqlToken[]): ReadonlyMap<number, number> {
  const open: number[] = [];
  const closes = new Map<number, number>();
  tokens.forEach((token, at) => {
    if (isSign(token, '(')) open.push(at);
    const from = isSign(token, ')') ? open.pop() : undefined;
    if (from !== undefined) closes.set(from, at);
  });
  return closes;
}

function castOf(tokens: readonly SqlToken[]): { readonly value: readonly SqlToken[]; readonly type: string } | null {
  if (!isWord(tokens[0], 'CAST') || !isSign(tokens[1], '(') || closings(tokens).get(1) !== tokens.length - 1)
    return null;
  const as = tokens.map((token) => isWord(token, 'AS')).lastIndexOf(true);
  return as < 0 ? null : { value: tokens.slice(2, as), type: written(tokens.slice(as + 1, -1)) };
}

/** Digits of `0x…`, in pairs. */
function hexOf(tokens: readonly SqlToken[]): string | null {
  const [token] = tokens;
  if (tokens.length === 1 && token!.kind === 'number' && /^0x/i.test(token!.text))
    return (token!.text.length % 2 === 0 ? '' : '0') + token!.text.slice(2);
  // `0x` without digits is an empty value: the number 0 and the word x.
  return tokens.length === 2 && token!.text === '0' && isWord(tokens[1], 'X') ? '' : null;
}
