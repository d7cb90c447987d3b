// The line endings of a statement: the editor supports only one kind.

/** The text with the line endings that the editor uses. */
export function withLineFeeds(sql: string): string {
  return sql.replace(/\r\n?/g, '\n');
}

/** The text of the editor, with the line endings of the original statement. */
export function withLineEndsOf(base: string, sql: string): string {
  return base.includes('\r\n') ? sql.replaceAll('\n', '\r\n') : sql;
}
