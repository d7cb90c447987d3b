// SQL in one short line, for lists and for running work.

const TITLE_LENGTH = 80;

export function statementTitle(sql: string): string {
  const text = sql
    .slice(0, TITLE_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH)}…` : text;
}
