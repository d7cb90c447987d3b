// Values of SQL Server, written for SQLite: `N'…'`, `0x…`, `CAST(… AS …)`.
import { digitsOf } from './inserted-rows.ts';
import { written } from './rewriting.ts';
import { isSign, isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import type { ColumnContent } from './column-content.ts';

const DAY_MS = 86_400_000;
const SINCE_1900 = Date.UTC(1900, 0, 1);

const DEEPEST_CAST = 8;

/** Null: it cannot be written exactly. */
export function tsqlValue(value: readonly SqlToken[], holds: ColumnContent | null, depth = 0): string | null {
  const bare = withoutParentheses(value);
  const cast = castOf(bare);
  if (cast !== null) {
    const hex = cast.value.length === 2 || cast.value.length === 1 ? hexOf(cast.value) : null;
    if (hex !== null && /date|time/i.test(cast.type)) return moment(hex, cast.type);
    return depth < DEEPEST_CAST ? tsqlValue(cast.value, holds, depth + 1) : null;
  }
  const hex = hexOf(bare);
  if (hex !== null) return `X'${hex}'`;
  const digits = holds === 'text' || holds === null ? digitsOf(bare) : null;
  // In a table that is not known, these are digits that REAL would lose.
  if (digits !== null && (holds === 'text' || digits.length > 18)) return digits;
  return bare.some((token) => isSign(token, '+')) && bare.some(({ kind }) => kind === 'string') ? null : written(bare);
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

/** Moments as bytes: days since 1900 and 300ths of a second, or minutes (learn.microsoft.com/sql/t-sql/data-types/datetime-transact-sql). */
function moment(hex: string, type: string): string | null {
  if (/^smalldatetime/i.test(type) && hex.length === 8)
    return textOf(Number.parseInt(hex.slice(0, 4), 16), Number.parseInt(hex.slice(4), 16) * 60_000);
  if (/^datetime$/i.test(type) && hex.length === 16)
    return textOf(Number.parseInt(hex.slice(0, 8), 16) | 0, Math.round((Number.parseInt(hex.slice(8), 16) * 10) / 3));
  return null;
}

function textOf(days: number, ms: number): string | null {
  const time = SINCE_1900 + days * DAY_MS + ms;
  return Math.abs(time) > 8.64e15 ? null : `'${new Date(time).toISOString().slice(0, -1).replace('T', ' ')}'`;
}
