import { expect, it } from 'vitest';
import type { PublishedTable, PublishReply } from '#shared/protocol/index.ts';
import {
  connectionNote,
  contentsText,
  isPossibleTarget,
  occupiedText,
  outcomeText,
  tableText,
} from './publish-labels.ts';

const LOOK = {
  ...{ id: '', indexes: 1, views: 0, triggers: 2, notPublished: [], occupiedBy: [], begun: false, notes: [] },
  tables: [
    { name: 'a', rows: 1200, bytes: 1_200_000 },
    { name: 'b', rows: 1, bytes: null },
  ],
};
const TABLE: PublishedTable = {
  ...{ name: 't', rows: 3, saved: 3, unsure: 0, digest: 'ab', onServer: { rows: 3, digest: 'ab' } },
};
const REPLY: PublishReply = {
  ...{ outcome: 'done', why: '', hasTables: 'yes', tables: [TABLE], created: 0, notPublished: [], timeMs: 1 },
};

it('says what is sent, and to whom it cannot be', () => {
  expect(contentsText(LOOK)).toBe('2 tables with 1,201 rows (at least 1.2 MB of values), 1 index, 2 triggers');
  const address = 'https://shop.example';
  const d1 = 'https://api.cloudflare.com/client/v4/accounts/a/d1/database/b';
  const possible = { readOnly: false, production: false, address };
  expect(connectionNote({ ...possible, readOnly: true, production: true })).toBe('read-only: cannot be published to');
  expect(connectionNote({ ...possible, address: d1 })).toMatch(/^Cloudflare D1: cannot be published to/);
  expect([possible, { ...possible, readOnly: true }, { ...possible, address: d1 }].map(isPossibleTarget)).toEqual([
    true,
    false,
    false,
  ]);
  expect(occupiedText({ ...LOOK, occupiedBy: ['a', 'b'] })).toContain('it has “a”, “b”.');
});

it('says what became of a table', () => {
  expect(tableText(TABLE)).toBe('the same');
  expect(tableText({ ...TABLE, digest: 'cd' })).toBe('different values');
  expect(tableText({ ...TABLE, onServer: { rows: 4, digest: 'cd' } })).toBe('4 rows on the server');
  expect(tableText({ ...TABLE, saved: 1, onServer: null })).toBe('1 row saved');
  expect(tableText({ ...TABLE, saved: 1, unsure: 2, onServer: null })).toBe('1 row saved, unknown for 2 more');
});

it('says what is on the server at the end', () => {
  expect(outcomeText(REPLY, 'Shop')).toContain('3 rows read back from the server, the same in number and value.');
  expect(outcomeText({ ...REPLY, tables: [{ ...TABLE, digest: 'x' }] }, 'Shop')).toContain('1 table read back');
  const failed: PublishReply = { ...REPLY, outcome: 'failed', why: 'No server.' };
  expect(outcomeText({ ...failed, tables: [{ ...TABLE, saved: 1, unsure: 2 }] }, 'Shop')).toBe(
    'No server. The server now has 1 table with 1 row. It is unknown whether 2 more rows were saved.',
  );
  expect(outcomeText({ ...failed, hasTables: 'no' }, 'Shop')).toBe('No server. Nothing is on the server.');
});
