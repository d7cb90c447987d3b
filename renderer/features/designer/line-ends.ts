// The line ends of a statement, of which the editor knows one kind.

/** As the editor has it. */
export function withLineFeeds(sql: string): string {
  return sql.replace(/\r\n?/g, '\n');
}

/** What the editor has, with the line ends of the statement it began with. */
export function withLineEndsOf(base: string, sql: string): string {
  return base.includes('\r\n') ? sql.replaceAll('\n', '\r\n') : sql;
}
