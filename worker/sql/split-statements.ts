// Splits a text into statements where SQLite's own shell does: the state machine of sqlite3_complete (sqlite src/complete.c),
// which knows strings, comments and the semicolons inside CREATE TRIGGER.

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|;|[A-Za-z0-9_$\u0080-\uffff]+|[^]/y;

type State = 'start' | 'normal' | 'explain' | 'create' | 'trigger' | 'semicolon' | 'end';

const WORDS: Readonly<Record<string, 'create' | 'temp' | 'trigger' | 'end' | 'explain'>> = {
  create: 'create',
  temp: 'temp',
  temporary: 'temp',
  trigger: 'trigger',
  end: 'end',
  explain: 'explain',
};

/** Ranges of the statements, without white space and comments around them, with their semicolon. */
export function splitStatements(sql: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (let range = nextStatement(sql, 0); range; range = nextStatement(sql, range.to)) ranges.push(range);
  return ranges;
}

/** The first statement from `at` on, where no other one is under way; null when there is none. */
export function nextStatement(sql: string, at: number): TextRange | null {
  let state: State = 'start';
  let from = -1;
  let to = -1;
  TOKEN.lastIndex = at;
  for (let token = TOKEN.exec(sql); token; token = TOKEN.exec(sql)) {
    const text = token[0];
    if (isBlank(text) || (from < 0 && text === ';')) continue;
    state = nextState(state, text);
    if (from < 0) from = token.index;
    to = TOKEN.lastIndex;
    if (state === 'start') break;
  }
  return from < 0 ? null : { from, to };
}

/** Nearly every statement begins with its word, and a script has very many. */
const WORD_FIRST = /[\s;]*([A-Za-z]+)(?![\w$\u0080-\uffff])/y;

/** The first word of a statement, in capitals; '' when it starts with something else. */
export function leadingKeyword(sql: string, from = 0): string {
  WORD_FIRST.lastIndex = from;
  const word = WORD_FIRST.exec(sql)?.[1];
  if (word !== undefined) return word.toUpperCase();
  TOKEN.lastIndex = from;
  for (let token = TOKEN.exec(sql); token; token = TOKEN.exec(sql)) {
    if (isBlank(token[0]) || token[0] === ';') continue;
    return /^[a-z]+$/i.test(token[0]) ? token[0].toUpperCase() : '';
  }
  return '';
}

/** The first words and signs of a statement, in capitals, without comments. */
export function leadingWords(sql: string, from: number, count: number): string[] {
  const words: string[] = [];
  TOKEN.lastIndex = from;
  for (let token = TOKEN.exec(sql); token && words.length < count; token = TOKEN.exec(sql)) {
    if (token[0] === ';' && words.length > 0) break;
    if (!isBlank(token[0]) && token[0] !== ';') words.push(token[0].toUpperCase());
  }
  return words;
}

/** End of the word, string or sign that begins at `from`. */
export function tokenEnd(sql: string, from: number): number {
  TOKEN.lastIndex = from;
  return TOKEN.exec(sql) ? TOKEN.lastIndex : sql.length;
}

function isBlank(token: string): boolean {
  return /^(\s|--|\/\*)/.test(token);
}

function nextState(state: State, token: string): State {
  const kind = token === ';' ? 'semicolon' : (WORDS[token.toLowerCase()] ?? 'other');
  switch (state) {
    case 'start':
      if (kind === 'semicolon') return 'start';
      return kind === 'explain' ? 'explain' : kind === 'create' ? 'create' : 'normal';
    case 'explain':
      // EXPLAIN QUERY PLAN: two more words before CREATE may come.
      if (kind === 'semicolon') return 'start';
      return kind === 'create' ? 'create' : kind === 'other' ? 'explain' : 'normal';
    case 'create':
      if (kind === 'semicolon') return 'start';
      return kind === 'temp' ? 'create' : kind === 'trigger' ? 'trigger' : 'normal';
    case 'trigger':
      return kind === 'semicolon' ? 'semicolon' : 'trigger';
    case 'semicolon':
      return kind === 'end' ? 'end' : kind === 'semicolon' ? 'semicolon' : 'trigger';
    case 'end':
      return kind === 'semicolon' ? 'start' : 'trigger';
    case 'normal':
      return kind === 'semicolon' ? 'start' : 'normal';
  }
}
