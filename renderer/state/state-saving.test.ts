import { expect, test } from 'vitest';
import { delaysClosing, endWork } from './state-saving.ts';

test('a window that closes waits for writes on their way, failed ones included', async () => {
  const steps: string[] = [];
  let answer = (): void => undefined;
  const write = delaysClosing(new Promise<void>((resolve) => (answer = resolve))).then(() => steps.push('written'));
  const failed = delaysClosing(Promise.reject(new Error('no room'))).catch((error: Error) => steps.push(error.message));
  const closing = endWork().then(() => steps.push('closed'));
  await failed;
  expect(steps).toEqual(['no room']);
  answer();
  await Promise.all([write, closing]);
  expect(steps).toEqual(['no room', 'written', 'closed']);

  await endWork();
});
