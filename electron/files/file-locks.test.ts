import { expect, test } from 'vitest';
import { isLockListed } from './sink-file.ts';

const LOCKS = `1: POSIX  ADVISORY  READ 1234 08:01:131085 128 128
2: FLOCK  ADVISORY  WRITE 77 00:19:42 0 EOF
2: -> POSIX  ADVISORY  WRITE 78 08:01:9 0 EOF
`;

test('a lock is known by its inode, whole', () => {
  expect(isLockListed(LOCKS, 131085)).toBe(true);
  expect(isLockListed(LOCKS, 42)).toBe(true);
  expect(isLockListed(LOCKS, 9)).toBe(true);
  expect(isLockListed(LOCKS, 13108)).toBe(false);
  expect(isLockListed(LOCKS, 128)).toBe(false);
  expect(isLockListed('', 42)).toBe(false);
});
