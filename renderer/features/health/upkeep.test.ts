import { expect, it } from 'vitest';
import type { HealthOverview, SizesReply } from '#shared/protocol/index.ts';
import { expectedGain, expectedMs, resultText, upkeepSql } from './upkeep.ts';

const overview = (part: Partial<HealthOverview>): HealthOverview => ({
  pageSize: 1024,
  pages: 100,
  freePages: 0,
  trees: [
    { kind: 'table', name: 'a"b', table: 'a"b' },
    { kind: 'index', name: 'by_a', table: 'a"b' },
    { kind: 'table', name: 'plain', table: 'plain' },
    { kind: 'table', name: 'sqlite_sequence', table: 'sqlite_sequence' },
  ],
  statistics: { tables: 1, analyzed: 0 },
  optimize: [],
  ...part,
}) as unknown as HealthOverview; // prettier-ignore

it('maintenance says what it would gain', () => {
  expect(expectedGain('vacuum', overview({ freePages: 50 }), null)).toContain('of free pages would be returned');
  expect(expectedGain('vacuum', overview({}), null)).toBe('There are no free pages.');
  expect(expectedGain('analyze', overview({}), null)).toContain('1 table of 1 with indexes has no statistics');
});

it('and what came of it', () => {
  const [before, after] = [overview({}), overview({ pages: 50, statistics: { tables: 1, analyzed: 1 } })] as const;
  const result = (kind: 'vacuum' | 'analyze') => resultText({ kind, timeMs: 5, before, after });
  expect(result('vacuum')).toMatch(/^VACUUM took .*\. The file went from 102 KB to 51\.2 KB\.$/);
  expect(result('analyze')).toMatch(/^ANALYZE took .*\. 1 of 1 table with indexes has statistics; before, 0 had\.$/);
});

it('runs one statement for each table, so that it can be stopped in between', () => {
  expect(upkeepSql('analyze', overview({}))).toEqual(['ANALYZE main."a""b"', 'ANALYZE main."plain"']);
  expect(upkeepSql('reindex', overview({}))).toEqual(['REINDEX main."a""b"']);
  expect(upkeepSql('vacuum', overview({}))).toEqual(['VACUUM']);
});

it('a file in place takes as long whether it is encrypted or not', () => {
  const sizes = { timeMs: 100 } as SizesReply;
  expect(expectedMs('vacuum', sizes, 'file:encrypted-a1')).toBe(expectedMs('vacuum', sizes, 'file:a1'));
});
