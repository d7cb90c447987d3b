// The beginning of a statement in one line, for labels.
const SHORT_SQL_CHARS = 90;

export function shortSql(sql: string): string {
  const line = sql
    .slice(0, SHORT_SQL_CHARS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= SHORT_SQL_CHARS ? line : `${line.slice(0, SHORT_SQL_CHARS)}…`;
}
