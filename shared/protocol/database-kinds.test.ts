import { expect, test } from 'vitest';
import { newRestoredName } from '../replicas.ts';
import { capabilitiesOf, engineOf, kindOf } from './database-kinds.ts';
import { encryptedId, inPlaceId, locationIdOf } from './in-place.ts';
import { remoteId } from './remote.ts';

test.each([
  ['b3a1', 'library', 'wasm'],
  [inPlaceId('place'), 'file', 'native'],
  [encryptedId('place'), 'encrypted', 'cipher'],
  [inPlaceId(newRestoredName('0'.repeat(36))), 'restored', 'native'],
  [remoteId('0'.repeat(32)), 'server', 'remote'],
])('the id %s says its kind and its engine', (database, kind, engine) => {
  expect([kindOf(database), engineOf(database)]).toEqual([kind, engine]);
  const { history, file, managed, temporary } = capabilitiesOf(database);
  expect({ history, file, managed, temporary }).toEqual({
    history: kind !== 'server',
    file: kind !== 'server',
    managed: kind === 'library',
    temporary: kind === 'restored',
  });
});

test('an encrypted file is at the location of the same file without a password, and another database', () => {
  expect([inPlaceId('place'), encryptedId('place')].map(locationIdOf)).toEqual(['place', 'place']);
  expect(encryptedId('place')).not.toBe(inPlaceId('place'));
});
