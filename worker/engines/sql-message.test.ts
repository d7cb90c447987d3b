// Tests what SQLite's messages become: a sentence, and the name it is about as a detail.
import { expect, test } from 'vitest';
import { describeSql } from './sql-message.ts';

test.each([
  ['near "SELEC": syntax error', 'Syntax error near “SELEC”.', { name: 'SELEC', isSyntax: true }],
  ['no such table: main.Custmer', 'There is no table named “main.Custmer”.', { missing: 'table', name: 'Custmer' }],
  ['no such column: c.ctiy', 'There is no column named “c.ctiy”.', { missing: 'column', name: 'ctiy' }],
  ['no such function: upr', 'There is no function named “upr”.', { missing: 'function', name: 'upr' }],
  [
    'no such collation sequence: x.y',
    'There is no collation sequence named “x.y”.',
    { missing: 'collation sequence', name: 'x.y' },
  ],
  ['no such module: vec0', 'There is no module named “vec0”.', { missing: 'module', name: 'vec0' }],
  ['no such tokenizer: icu', 'SQLite does not have the tokenizer “icu” here.', { missing: 'tokenizer', name: 'icu' }],
  [
    'unsafe use of virtual table "place"',
    'Unsafe use of virtual table "place": views, triggers, and indexes may use only what is declared harmless (PRAGMA trusted_schema is off). For the extensions of a file, “Health: Extensions” can allow more.',
    undefined,
  ],
  ['unrecognized token: "\'abc"', "“'abc” is not valid SQL.", { name: "'abc", isSyntax: true }],
  ['table "a b" already exists', 'There is already a table named “a b”.', { name: 'a b' }],
  ['view v already exists', 'There is already a view named “v”.', { name: 'v' }],
  ['index i already exists', 'There is already an index named “i”.', { name: 'i' }],
  ['incomplete input', 'The statement is not complete.', undefined],
  ['cannot start a transaction within a transaction', 'Cannot start a transaction within a transaction.', undefined],
  ['near "$<name>": syntax error', 'Syntax error near “$<name>”.', { name: '$<name>', isSyntax: true }],
])('%s', (message, sentence, detail) => {
  expect(describeSql(message)).toEqual({ message: sentence, ...(detail && { detail }) });
});
