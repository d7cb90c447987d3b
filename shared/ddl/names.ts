// Names in SQL: comparing them, and quoting them where necessary.

/** Words that SQLite never accepts as a name without quotes. */
const RESERVED = new Set(
  (
    'add all alter and as autoincrement between case check collate commit constraint create default deferrable delete distinct drop ' +
    'else escape except exists foreign from group having in index insert intersect into is isnull join limit not nothing notnull null ' +
    'on or order primary references returning select set table then to transaction union unique update using values when where'
  ).split(' '),
);
/** Words that are names in some places and keywords in others. */
const AMBIGUOUS = new Set(
  'cast cross current_date current_time current_timestamp full if indexed inner left natural outer raise right'.split(
    ' ',
  ),
);

export function isReserved(word: string): boolean {
  return RESERVED.has(word.toLowerCase());
}

/** SQLite ignores the case of ASCII letters in names, and of no other letters. */
export function foldName(name: string): string {
  // Most names have none.
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}

export function sameName(one: string, other: string): boolean {
  return one === other || (one.length === other.length && foldName(one) === foldName(other));
}

/** Quotes the name only if SQLite would read it differently without quotes. */
export function writeName(name: string): string {
  const isPlain =
    /^[\p{L}_][\p{L}\p{M}\p{N}_$]*$/u.test(name) && !isReserved(name) && !AMBIGUOUS.has(name.toLowerCase());
  return isPlain ? name : quoteName(name);
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
