// Long work started in this window: its title, its progress, and how to stop it.
import { create } from 'zustand';
import type { Progress } from '#shared/protocol/index.ts';
import { endsWithWindow } from '../state/unsaved-work.ts';

export interface ShownWork {
  readonly startedAtMs: number;
  readonly progress: Progress | null;
  readonly stopping: boolean;
}

export interface Job extends ShownWork {
  readonly id: number;
  readonly title: string;
  stop(): void;
}

interface Jobs {
  readonly jobs: readonly Job[];
}

export const useJobs = create<Jobs>()(() => ({ jobs: [] }));

endsWithWindow(() => useJobs.getState().jobs.map(({ title }) => `“${title}” is not finished.`));

let nextId = 1;

export interface JobOptions {
  readonly onChunk: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/** Runs `work` as a job that the user can see and stop. Fails as `work` fails. */
export async function runJob<T>(title: string, work: (options: JobOptions) => Promise<T>): Promise<T> {
  const id = nextId++;
  const controller = new AbortController();
  const patch = (change: Partial<Job>): void =>
    useJobs.setState(({ jobs }) => ({ jobs: jobs.map((job) => (job.id === id ? { ...job, ...change } : job)) }));
  const running = work({ onChunk: (progress) => patch({ progress }), signal: controller.signal });
  const stop = (): void => {
    patch({ stopping: true });
    controller.abort();
  };
  const job: Job = { id, title, startedAtMs: performance.now(), progress: null, stopping: false, stop };
  useJobs.setState(({ jobs }) => ({ jobs: [...jobs, job] }));
  try {
    return await running;
  } finally {
    useJobs.setState(({ jobs }) => ({ jobs: jobs.filter((other) => other.id !== id) }));
  }
}
