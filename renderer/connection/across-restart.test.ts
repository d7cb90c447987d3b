import { expect, test } from 'vitest';
import { AppError } from '#shared/protocol/index.ts';
import { acrossRestart } from './across-restart.ts';

const lost = (): AppError => new AppError({ code: 'disconnected', message: 'Lost.' });

test('what the engine was lost for is done again when it is back, however late', async () => {
  let back!: () => void;
  const engine = { answered: () => new Promise<void>((resolve) => (back = resolve)) };
  let times = 0;
  const done = acrossRestart(engine, async () => {
    if (++times === 1) throw lost();
    return 'opened';
  });
  await expect.poll(() => back).toBeDefined();
  expect(times).toBe(1);
  back();
  expect(await done).toBe('opened');
});

test('other failures, an engine that does not come back and a second loss are for the caller', async () => {
  const back = { answered: () => Promise.resolve() };
  const missing = new AppError({ code: 'not-found', message: 'No file.' });
  await expect(acrossRestart(back, () => Promise.reject(missing))).rejects.toBe(missing);
  const refused = new AppError({ code: 'unavailable', message: 'It ended four times.' });
  const given = { answered: () => Promise.reject(refused) };
  await expect(acrossRestart(given, () => Promise.reject(lost()))).rejects.toBe(refused);
  await expect(acrossRestart(back, () => Promise.reject(lost()))).rejects.toMatchObject({ code: 'disconnected' });
});
