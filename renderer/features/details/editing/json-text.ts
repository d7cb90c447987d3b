// JSON as text to edit: checked, with the position of the error, and formatted without touching numbers and strings.
import { JsonIndenter } from '../indent-json.ts';

const TOKEN =
  /[ \t\r\n]*(?:("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])|([[\]{}:,]))/y;
const SPACE = /[ \t\r\n]*/y;

export interface JsonToken {
  readonly kind: 'string' | 'word' | '[' | ']' | '{' | '}' | ':' | ',';
  readonly from: number;
  readonly to: number;
}

interface JsonError {
  readonly at: number;
  readonly message: string;
}

/** The token at or after `from`; null at the end, or if there is no valid token. */
export function tokenAt(text: string, from: number): JsonToken | null {
  TOKEN.lastIndex = from;
  const found = TOKEN.exec(text);
  if (!found) return null;
  const [, string, word, sign] = found;
  const to = TOKEN.lastIndex;
  const body = string ?? word ?? sign!;
  const kind = string !== undefined ? 'string' : word !== undefined ? 'word' : (sign as JsonToken['kind']);
  return { kind, from: to - body.length, to };
}

type Expected = 'value' | 'value or ]' | 'key or }' | 'key' | ':' | ', or end' | 'end';

const WANTED: Readonly<Record<Expected, string>> = {
  value: 'A value is expected here.',
  'value or ]': 'A value or “]” is expected here.',
  'key or }': 'A name in double quotes or “}” is expected here.',
  key: 'A name in double quotes is expected here.',
  ':': '“:” is expected here.',
  ', or end': '“,” or the closing bracket is expected here.',
  end: 'Nothing more is expected after the value.',
};

/** Null for one valid JSON value (RFC 8259). Takes time in proportion to the length, whatever the depth. */
export function jsonError(text: string): JsonError | null {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ;) {
    const token = tokenAt(text, at);
    if (!token) {
      SPACE.lastIndex = at;
      SPACE.exec(text);
      const here = SPACE.lastIndex;
      if (here === text.length && expected === 'end') return null;
      return { at: here, message: here === text.length ? 'The text ends unexpectedly.' : WANTED[expected] };
    }
    const next = after(token, expected, open);
    if (next === null) return { at: token.from, message: WANTED[expected] };
    expected = next;
    at = token.to;
  }
}

/** What may follow the token; null if the token is not allowed here. */
function after({ kind }: JsonToken, expected: Expected, open: ('[' | '{')[]): Expected | null {
  const isValue = expected === 'value' || expected === 'value or ]';
  if (kind === 'string' && (expected === 'key' || expected === 'key or }')) return ':';
  if (kind === ':') return expected === ':' ? 'value' : null;
  if (kind === ',') return expected === ', or end' ? (open.at(-1) === '[' ? 'value' : 'key') : null;
  if (kind === ']' || kind === '}') {
    const opener = kind === ']' ? '[' : '{';
    const mayEnd = expected === ', or end' || expected === (kind === ']' ? 'value or ]' : 'key or }');
    if (!mayEnd || open.at(-1) !== opener) return null;
    open.pop();
  } else {
    if (!isValue) return null;
    if (kind === '[' || kind === '{') {
      open.push(kind);
      return kind === '[' ? 'value or ]' : 'key or }';
    }
  }
  return open.length === 0 ? 'end' : ', or end';
}

/** Puts JSON on one line, without spaces between tokens. @param text valid JSON */
export function compactJson(text: string): string {
  const pieces: string[] = [];
  for (let token = tokenAt(text, 0); token; token = tokenAt(text, token.to))
    pieces.push(text.slice(token.from, token.to));
  return pieces.join('');
}

/** Formats JSON over several lines, as the details show it. @param text valid JSON */
export function indentJson(text: string): string {
  const indenter = new JsonIndenter(text, { from: 0, maxChars: Infinity, maxLines: Infinity, isCut: false });
  for (;;) {
    const read = indenter.read();
    if (read === null) return text; // a value that is neither object nor array is on one line
    if (read !== 'more') return read.text;
  }
}

/** “line 3, column 5”, both from 1. */
export function placeIn(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`;
}
