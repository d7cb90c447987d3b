import { expect, it } from 'vitest';
import { headline } from './files.ts';

it.each([
  ['// The queue of one database. Knows nothing about SQLite.\nimport x;', 'The queue of one database.'],
  [
    '// Pages the rows of a query:\n// a result or a view. More.\n\n// Not this.\n',
    'Pages the rows of a query: a result or a view.',
  ],
  ['// Styles of `grid.css` and one.name\nconst a = 1;\n', 'Styles of `grid.css` and one.name'],
  ['#!/usr/bin/env node\n// Starts a program.\n', 'Starts a program.'],
  ['/**\n * What a package lacks.\n */\n', 'What a package lacks.'],
  ["import x from 'y';\n// Too late.\n", ''],
])('the first comment of %j says what the file holds', (text, says) => {
  expect(headline(text)).toBe(says);
});
