import { expect, it, vi } from 'vitest';

vi.mock('../../connection/database-client.ts', () => ({ client: {} }));
const { mayHoldBlobs } = await import('./blob-columns.ts');

it.each([
  [['INTEGER', 'NVARCHAR(200)', 'NUMERIC(10,2)', 'DATETIME', 'REAL'], false],
  [['INTEGER', 'BLOB'], true],
  [['INTEGER', ''], true],
  [['ANY'], true],
  [['INTEGER', 'image'], true],
])('columns of the types %j may hold BLOBs: %s', (types, expected) => {
  expect(mayHoldBlobs(types.map((declaredType) => ({ declaredType })))).toBe(expected);
});
