// The statements of a migration as a script that any program can run with SQLite.
import { asInside } from '../ddl/expressions.ts';

/** @param title one line that says what it does */
export function migrationScript(title: string, statements: readonly string[]): string {
  return `${scriptHead(title)}${statements.map(scriptStatement).join('')}${SCRIPT_END}`;
}

/** What comes before the statements. @param title one line that says what they do */
export const scriptHead = (title: string): string =>
  [
    `-- ${title.replaceAll(/[\r\n]+/g, ' ')}`,
    '-- Foreign keys are off so that a table can be recreated without deleting the rows that refer to it.',
    'PRAGMA foreign_keys = OFF;',
    'BEGIN IMMEDIATE;',
    '',
  ].join('\n');

export const scriptStatement = (sql: string): string => `${asInside(sql)};\n`;

export const SCRIPT_END = 'COMMIT;\nPRAGMA foreign_keys = ON;\n';
