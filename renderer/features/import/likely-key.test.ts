import { expect, test } from 'vitest';
import { likelyKey } from './likely-key.ts';

test.each([
  ['people', ['name', 'ID', 'city_id'], ['ID']],
  ['orders', ['customer_id', 'order_id', 'total'], ['order_id']],
  ['Track', ['AlbumId', 'TrackId'], ['TrackId']],
  ['visits', ['city_id', 'day'], []],
  ['visits', ['day', 'uuid'], ['uuid']],
])('the key of %s with %j is %j', (table, columns, key) => {
  expect(likelyKey(table, columns)).toEqual(key);
});
