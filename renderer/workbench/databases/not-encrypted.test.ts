// What would leave an encrypted database without encryption is refused, and nothing else is.
import { beforeEach, expect, test, vi } from 'vitest';
import { encryptedId, inPlaceId, remoteId, type DatabaseState, type SchemaObject } from '#shared/protocol/index.ts';

vi.mock('../../connection/shell.ts', () => ({ isDesktop: true, shell: {} }));
const { useStore } = await import('../../state/store.ts');
const { askCopyTable, copyTargets, useCopyTableRequest } = await import('../objects/copy-table-request.ts');
const { refusesUnencrypted, whyNotUnencrypted } = await import('./not-encrypted.ts');

const ENCRYPTED = encryptedId('a1');
const OTHERS = [inPlaceId('a1'), 'a0b1c2', remoteId('0'.repeat(32))];
const TABLE = { kind: 'table', name: 'item', sql: 'CREATE TABLE item (a)' } as SchemaObject;

beforeEach(() => useStore.setState({ notices: [] }));

test('work with an encrypted database is refused with what to do instead, and work with others is not', () => {
  for (const work of ['publish', 'copy table', 'both engines', 'rows', 'benchmark', 'hold'] as const) {
    expect(whyNotUnencrypted(ENCRYPTED, work)).toMatch(
      /^This database is encrypted\. .*not be encrypted.*(?:Export|Use) /,
    );
    for (const other of [...OTHERS, null]) expect(refusesUnencrypted(other, work)).toBe(false);
  }
  expect(useStore.getState().notices).toEqual([]);
  expect(refusesUnencrypted(ENCRYPTED, 'hold')).toBe(true);
  expect(useStore.getState().notices).toMatchObject([{ tone: 'warning', text: whyNotUnencrypted(ENCRYPTED, 'hold') }]);
});

test('no table is copied out of an encrypted database, nor offered to be copied into one', () => {
  askCopyTable(ENCRYPTED, TABLE);
  expect(useCopyTableRequest.getState().request).toBeNull();
  askCopyTable(OTHERS[0]!, TABLE);
  expect(useCopyTableRequest.getState().request).toMatchObject({ database: OTHERS[0] });
  const open = Object.fromEntries(
    [ENCRYPTED, 'b', inPlaceId('c')].map((id) => [
      id,
      { entry: { id, name: id }, readOnly: false } as unknown as DatabaseState,
    ]),
  );
  expect(copyTargets(open, 'b').map(([id]) => id)).toEqual([inPlaceId('c')]);
});
