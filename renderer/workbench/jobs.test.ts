import { expect, test } from 'vitest';
import { runJob, useJobs } from './jobs.ts';

test('a job is listed while it runs, and Stop reaches its work', async () => {
  let reached: AbortSignal | null = null;
  let end = (_error: Error): void => undefined;
  const running = runJob('Importing big.db', ({ signal }) => {
    reached = signal;
    return new Promise((_resolve, reject) => (end = reject));
  });
  const [job] = useJobs.getState().jobs;
  expect(job).toMatchObject({ title: 'Importing big.db', stopping: false });
  job!.stop();
  expect(reached).toMatchObject({ aborted: true });
  expect(useJobs.getState().jobs).toMatchObject([{ stopping: true }]);
  end(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
  expect(useJobs.getState().jobs).toEqual([]);
});
