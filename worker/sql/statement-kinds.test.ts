import { expect, it } from 'vitest';
import { makesStatistics } from './statement-kinds.ts';

it.each([
  ['ANALYZE', true],
  ['/* */ analyze main.t', true],
  ['PRAGMA optimize', true],
  ['pragma main . optimize(0x10002)', true],
  ['PRAGMA user_version = optimize', false],
  ['PRAGMA main.user_version(optimize)', false],
  ['DROP TABLE analyze', false],
  ['', false],
])('%j only makes statistics: %j', (sql, expected) => expect(makesStatistics(sql)).toBe(expected));
