import { expect, test } from 'vitest';
import { HeavyGuard } from './heavy-guard.ts';
import { thrownBy } from './thrown-by.test-suite.ts';

const VIEWS = Array.from({ length: 40 }, (_, at) => [
  'view',
  `v${at + 1}`,
  `CREATE VIEW v${at + 1} AS SELECT x.a FROM v${at} x JOIN v${at} y`,
]);

test('a schema that could not be read, because it was locked or the work was stopped, is read for the next statement', () => {
  let isLocked = true;
  const guard = new HeavyGuard(() => {
    if (isLocked) throw new Error('database is locked');
    return VIEWS;
  });
  guard.turnOn();
  guard.assertLight('SELECT * FROM v40');
  isLocked = false;
  expect(thrownBy(() => guard.assertLight('SELECT * FROM v40')).message).toContain('“v40”');
});
