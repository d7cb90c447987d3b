// What a dry run says of its rows, also of those that nobody can see.
import { expect, test } from 'vitest';
import { isListed, outcomeLabel, unseenWords } from './outcome-label.ts';

const many = [{ table: 't', inserted: 1, updated: 20_000, deleted: 0 }];
const few = [{ table: 't', inserted: 1, updated: 2, deleted: 0 }];

test.each([
  [{ tables: [], rows: 0, schema: false }, 'Would change no rows', ''],
  [{ tables: few, rows: 3, schema: false }, 'Would insert 1 and change 2 rows in 1 table', ''],
  [{ tables: few, rows: 3, schema: true }, 'Would insert 1 and change 2 rows in 1 table', 'dropped tables'],
  [{ tables: many, rows: 20_001, schema: false }, 'Would insert 1 and change 20,000 rows in 1 table', 'first 10,000'],
  [
    { tables: [], rows: 5000, schema: true },
    'Would insert, change, or delete 5,000 rows',
    'schema would change too, so',
  ],
  [{ tables: [], rows: 1, schema: false }, 'Would insert, change, or delete 1 row', 'more than the history keeps'],
])('%o', (reply, label, unseen) => {
  expect([outcomeLabel(reply), isListed(reply)]).toEqual([label, !label.includes('or delete')]);
  expect(unseenWords(reply)).toContain(unseen);
  expect(unseenWords(reply) === '').toBe(unseen === '');
});
