// The running jobs as cards with progress and a way to stop them.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Progress } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount, formatElapsed } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Job } from './jobs.ts';
import { useJobs } from './jobs.ts';
import './job-cards.css';

const SHOWN_AFTER_MS = 400;
const TICK_MS = 200;

export function JobCards(): ReactNode {
  const jobs = useJobs((state) => state.jobs);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (jobs.length === 0) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [jobs.length]);
  return jobs
    .filter((job) => now - job.startedAtMs >= SHOWN_AFTER_MS)
    .map((job) => <JobCard key={job.id} job={job} elapsedMs={now - job.startedAtMs} />);
}

function JobCard({ job, elapsedMs }: { readonly job: Job; readonly elapsedMs: number }): ReactNode {
  const { title, progress, stopping } = job;
  return (
    <section className="job-card" aria-label={title}>
      <div className="job-head">
        <span className="job-title" title={title}>
          {title}
        </span>
        <Button size="small" disabled={stopping} onClick={job.stop}>
          {stopping ? 'Stopping…' : 'Cancel'}
        </Button>
      </div>
      <ProgressBar label={title} share={progress?.total ? progress.done / progress.total : null} />
      <div className="job-facts">
        <span>{progress ? describe(progress) : 'Starting'}</span>
        <span>{elapsedMs >= 1000 && formatElapsed(elapsedMs)}</span>
      </div>
    </section>
  );
}

function describe({ phase, done, total, unit }: Progress): string {
  const amount = (value: number): string => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
  const suffix = unit === 'bytes' ? '' : ` ${unit}`;
  const count = total === null ? `${amount(done)}${suffix}` : `${amount(done)} of ${amount(total)}${suffix}`;
  return `${phase} · ${count}`;
}
