// When an import can begin, and the text of its button when it cannot.
import { expect, it } from 'vitest';
import type { TableDetail } from '#shared/protocol/index.ts';
import { plainChoice } from '#shared/import/column-choices.ts';
import { firstView } from './first-view.ts';
import type { ImportView } from './import-view.ts';
import { whyNot } from './import-label.ts';

const into = (table: string | null): ImportView => ({
  ...firstView({
    id: '1',
    kind: 'import',
    database: null,
    fileName: 'a.csv',
    token: 't',
    locationId: null,
    into: { database: 'd', table },
  }),
  columns: [plainChoice('a', 'a')],
});
const running = { state: 'running', progress: null, startedAtMs: 0 } as const;
const detail = {} as TableDetail;

it('no import waits for the whole file to be read: it finds the types itself', () => {
  expect(whyNot({ ...into(null), analysis: running })).toBeNull();
  expect(whyNot({ ...into('t'), detail, analysis: running })).toBeNull();
  const columns = [{ ...plainChoice('a', 'a'), isNew: true }];
  expect(whyNot({ ...into('t'), detail, analysis: running, columns })).toBeNull();
});

it('says what is missing', () => {
  expect(whyNot({ ...into(null), columns: [plainChoice('a', null)] })).toContain('No column');
  expect(whyNot({ ...into(null), columns: [plainChoice('a', 'x'), plainChoice('b', 'X')] })).toContain('“X”');
  expect(whyNot(into('t'))).toContain('not known yet');
  const upsert = { ...into('t'), detail };
  expect(whyNot({ ...upsert, target: { ...upsert.target, mode: 'upsert' } })).toContain('key');
  expect(whyNot({ ...into(null), previewProblem: 'no such column: x' })).toBe('no such column: x');
});
