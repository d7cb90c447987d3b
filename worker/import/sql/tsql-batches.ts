// Ends of statements of SQL Server, which needs no semicolon: a statement ends where a line begins another one, and a batch with GO.

const NEXT_STATEMENT =
  /\n[ \t\r]*(?:INSERT|CREATE|ALTER|DROP|USE|PRINT|EXEC|EXECUTE|DECLARE|TRUNCATE|GRANT|DENY|IF|BEGIN|COMMIT|SET|DELETE|UPDATE)\b/iy;
const GO = /[ \t]*GO(?:[ \t]+\d+)?[ \t]*(?:--[^\n]*)?(?:\r?\n|$)/iy;
const REPEATED_GO = /[ \t]*GO[ \t]+0*(?!1\b)\d/iy;
const WHOLE_BATCH = /^(?:CREATE|ALTER)\s+(?:OR\s+ALTER\s+)?(?:PROC|PROCEDURE|FUNCTION|TRIGGER|VIEW)\b/i;
/** Characters after a line break that say whether a statement begins there. */
export const LONGEST_NEXT = 200;

/** The place after a line with GO at `at`; null for any other line, and for one that is not read to its end. */
export function endOfGo(text: string, at: number, isLast: boolean): number | null {
  GO.lastIndex = at;
  if (!GO.test(text)) return null;
  const isWhole = GO.lastIndex < text.length || isLast || text[GO.lastIndex - 1] === '\n';
  return isWhole ? GO.lastIndex : null;
}

/** `GO 5` runs its batch five times. */
export function isRepeatedGo(text: string, at: number): boolean {
  REPEATED_GO.lastIndex = at;
  return REPEATED_GO.test(text);
}

/** It ends with its batch. */
export const isWholeBatch = (text: string): boolean => WHOLE_BATCH.test(text.slice(0, 100));

/** @param at of a line break. @param depth open parentheses before it */
export function beginsStatement(text: string, at: number, depth: number): boolean {
  GO.lastIndex = at + 1;
  if (GO.test(text)) return true;
  NEXT_STATEMENT.lastIndex = at;
  const next = NEXT_STATEMENT.exec(text)?.[0].trim().toUpperCase();
  if (next === undefined || depth > 0 || isWholeBatch(text)) return false;
  // `UPDATE t` and `SET a = 1` may be two lines.
  return next !== 'SET' || !/^UPDATE\b/i.test(text);
}
