// A script of very many short statements, as an SQL dump is: what naive runners get quadratically slow on.

/** 147,000 statements make about 9 MB: one table, then its rows one INSERT each. */
export function longScript(statements: number): string {
  const lines = ['CREATE TABLE script (id INTEGER PRIMARY KEY, name TEXT);', 'BEGIN;'];
  for (let id = 1; id <= statements - 3; id++)
    lines.push(`INSERT INTO script VALUES (${id}, 'row ${id} of a long script');`);
  lines.push('COMMIT;');
  return lines.join('\n');
}
