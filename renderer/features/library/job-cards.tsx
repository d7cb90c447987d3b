// The running jobs as cards with progress and a way to stop them.
import type { ReactNode } from 'react';
import { useJobs, type Job } from '../../workbench/jobs.ts';
import { Button } from '../../ui/button.tsx';
import { formatElapsed } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { amountText, shareOf, timeLeftText } from '../../ui/progress-text.ts';
import { useNow } from '../../ui/use-now.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';

const SHOWN_AFTER_MS = 400;
const TICK_MS = 200;

export function JobCards(): ReactNode {
  const jobs = useJobs((state) => state.jobs);
  const now = useNow(TICK_MS, undefined, jobs.length > 0);
  return jobs
    .filter((job) => now - job.startedAtMs >= SHOWN_AFTER_MS)
    .map((job) => <JobCard key={job.id} job={job} elapsedMs={now - job.startedAtMs} />);
}

function JobCard({ job, elapsedMs }: { readonly job: Job; readonly elapsedMs: number }): ReactNode {
  const { title, progress, stopping } = job;
  const leftMs = useTimeLeft(progress, elapsedMs);
  const times = [elapsedMs >= 1000 && formatElapsed(elapsedMs), leftMs !== null && timeLeftText(leftMs)];
  return (
    <section className="stack gap-8 job-card" aria-label={title} data-pane>
      <div className="row gap-10">
        <span className="cut fill-x strong" title={title}>
          {title}
        </span>
        <Button size="small" disabled={stopping} onClick={job.stop}>
          {stopping ? 'Stopping…' : 'Cancel'}
        </Button>
      </div>
      <ProgressBar label={title} share={shareOf(progress)} />
      <div className="note gap-12 figures job-facts">
        <span>{progress ? `${progress.phase} · ${amountText(progress)}` : 'Starting'}</span>
        <span>{times.filter(Boolean).join(', ')}</span>
      </div>
    </section>
  );
}
