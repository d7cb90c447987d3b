import { expect, test, vi } from 'vitest';
import { storeChecked } from './date-check.ts';

test('an impossible date in a column of dates is stored only when that is confirmed', async () => {
  const store = vi.fn(() => Promise.resolve({ kind: 'done' as const }));
  expect(await storeChecked('2021-12-24', 'DATE', store)).toEqual({ kind: 'done' });
  expect(await storeChecked('2021-13-45', 'TEXT', store)).toEqual({ kind: 'done' });
  store.mockClear();
  const outcome = await storeChecked('2021-13-45', 'datetime', store);
  expect(outcome).toMatchObject({
    message: '“2021-13-45” is not a date. There is no month 13. The value was not saved.',
  });
  expect(store).not.toHaveBeenCalled();
  if (outcome.kind === 'failed') await outcome.choices[0]!.run('2021-13-45');
  expect(store).toHaveBeenCalledWith('2021-13-45');
});
