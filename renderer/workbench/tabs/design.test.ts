import { expect, test } from 'vitest';
import type { Tab } from '../../state/slices/tabs.ts';
import { designedTable } from './design.ts';

test('a new index, view, or trigger is for the table that is being designed', () => {
  const design = { id: 'd', kind: 'design', database: 'a', object: 'table', name: 'visit' };
  expect(designedTable(design as Tab)).toBe('visit');
  expect(designedTable({ ...design, name: null } as Tab)).toBeNull();
  expect(designedTable({ ...design, object: 'index' } as Tab)).toBeNull();
  expect(designedTable({ ...design, kind: 'query' } as Tab)).toBeNull();
  expect(designedTable(null)).toBeNull();
});
