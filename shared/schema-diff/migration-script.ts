// The statements of a migration as a script that any program can run with SQLite.
import { asInside } from '../ddl/expressions.ts';

/** @param title one line that says what it does */
export function migrationScript(title: string, statements: readonly string[]): string {
  return [
    `-- ${title.replaceAll(/[\r\n]+/g, ' ')}`,
    '-- Foreign keys are off so that a table can be recreated without deleting the rows that refer to it.',
    'PRAGMA foreign_keys = OFF;',
    'BEGIN IMMEDIATE;',
    ...statements.map((sql) => `${asInside(sql)};`),
    'COMMIT;',
    'PRAGMA foreign_keys = ON;',
    '',
  ].join('\n');
}
