// The index lab below a query plan: indexes that would help the statement, the user's own ones, and those that are not needed.
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import type { IndexCandidate, IndexLabReport, IndexMeasurement } from '#shared/protocol/index.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes, plural, formatCount, formatDuration, formatFixed } from '../../../ui/format.ts';
import { RunProgress } from '../../../ui/run-bar.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useElapsed } from '../../../ui/use-elapsed.ts';
import { PlanTable } from '../plan-table.tsx';
import { planSteps } from '../plan-labels.ts';
import type { IndexLabSession, IndexLabView } from './index-lab-session.ts';
import './index-lab.css';

export function IndexLab({ session }: { readonly session: IndexLabSession }): ReactNode {
  const view = session.useView();
  const { report, own, failure, work } = view;
  const shown = [...own, ...(report?.candidates ?? [])];
  const section = useRef<HTMLElement>(null);
  const isFound = report !== null;
  // Scroll to the lab: below a long plan, neither its progress nor its results would be visible.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [isFound]);
  return (
    <section ref={section} className="lab" aria-label="Index lab">
      <p className="lab-head" role={work ? undefined : 'status'}>
        {headText(view)}{' '}
        <span>Costs are estimated with statistics from a sample of the rows. Nothing is written to the database.</span>
      </p>
      {work && <LabProgress session={session} work={work} />}
      {failure?.index === '' && (
        <p className="small error lab-failure" role="alert">
          {failure.text}{' '}
          <button type="button" className="link-button" onClick={() => void session.search()}>
            Try again
          </button>
        </p>
      )}
      {report && shown.length > 0 && <Candidates session={session} view={view} candidates={shown} report={report} />}
      {report && <OwnIndex session={session} view={view} />}
      {report && report.redundant.length > 0 && (
        <div className="small lab-redundant">
          <p>Indexes that are not needed, because another index or the row id does the same:</p>
          <ul>
            {report.redundant.map(({ table, index, covering }) => (
              <li key={index}>
                <code>{index}</code> on {table}: {covering === null ? 'the row id' : <code>{covering}</code>} does the
                same.
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function headText({ report, work, failure }: IndexLabView): string {
  if (!report) return work?.kind === 'try' ? 'Trying indexes…' : failure ? 'The index lab could not run.' : 'Stopped.';
  const { candidates, tried } = report;
  const found =
    candidates.length === 0
      ? 'No index would make this much cheaper'
      : `${plural(candidates.length, 'index', 'indexes')} would help`;
  return `${found}; ${plural(tried, 'was', 'were')} tried.`;
}

interface LabProgressProps {
  readonly session: IndexLabSession;
  readonly work: NonNullable<IndexLabView['work']>;
}

function LabProgress({ session, work }: LabProgressProps): ReactNode {
  const elapsedMs = useElapsed(work.startedAtMs);
  if (elapsedMs === null) return null;
  return (
    <div className="row gap-8 lab-progress">
      <RunProgress
        text={work.kind === 'create' ? 'Creating the index' : (work.progress?.phase ?? '')}
        share={null}
        elapsedMs={elapsedMs}
        stopping={work.stopping}
        stopTitle="Stop. The database is not changed."
        onStop={() => session.stop()}
      />
    </div>
  );
}

interface CandidatesProps {
  readonly session: IndexLabSession;
  readonly view: IndexLabView;
  readonly candidates: readonly IndexCandidate[];
  readonly report: IndexLabReport;
}

function Candidates({ session, view, candidates, report }: CandidatesProps): ReactNode {
  const { measured, failure, work } = view;
  return (
    <ul aria-label="Indexes">
      {candidates.map((candidate) => (
        <CandidateItem
          key={candidate.sql}
          candidate={candidate}
          cost={report.plan.cost}
          measurement={measured[candidate.sql] ?? null}
          failure={failure?.index === candidate.sql ? failure.text : null}
          isBusy={work !== null}
          whyNotCreated={session.whyNotCreated}
          onMeasure={() => void session.measure(candidate)}
          onCreate={() => void session.create(candidate)}
        />
      ))}
    </ul>
  );
}

function OwnIndex({ session, view }: { readonly session: IndexLabSession; readonly view: IndexLabView }): ReactNode {
  const { ownText, failure, work } = view;
  const problem = failure !== null && failure.index !== '' && failure.index === ownText ? failure.text : null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ownText.trim() !== '') void session.tryOwn();
  };
  return (
    <form className="gap-6 wrap lab-own" onSubmit={submit}>
      <TextField
        className="small-field lab-own-text"
        aria-label="An index of your own"
        aria-invalid={problem !== null || undefined}
        placeholder="CREATE INDEX name ON table (column, …) WHERE …"
        value={ownText}
        onChange={({ target }) => session.write(target.value)}
      />
      <Button size="small" type="submit" why={work ? 'The index lab is busy.' : null}>
        Try
      </Button>
      {problem && (
        <p className="small error lab-failure" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

interface CandidateItemProps {
  readonly candidate: IndexCandidate;
  /** Cost of the statement without new indexes. */
  readonly cost: number;
  readonly measurement: IndexMeasurement | null;
  readonly failure: string | null;
  readonly isBusy: boolean;
  readonly whyNotCreated: string | null;
  readonly onMeasure: () => void;
  readonly onCreate: () => void;
}

/** One index in the lab: its SQL, its effect, and its actions. */
function CandidateItem(props: CandidateItemProps): ReactNode {
  const { candidate, cost, measurement, failure, isBusy, whyNotCreated, onMeasure, onCreate } = props;
  const { sql, name, plan, bytes } = candidate;
  const note = noteOn(candidate);
  const why = isBusy ? 'The index lab is busy.' : null;
  return (
    <li className="lab-item" aria-label={name}>
      <div className="row wrap lab-line">
        <code className="break-words shrink-x lab-sql">{sql}</code>
        <span className="gap-6 lab-buttons">
          <Button
            size="small"
            why={why}
            onClick={onMeasure}
            title="Runs the statement without and with the index in a copy of the database"
          >
            Measure
          </Button>
          <Button size="small" why={whyNotCreated ?? why} onClick={onCreate} title="Creates the index in the database">
            Create index
          </Button>
        </span>
      </div>
      <p className="small figures lab-facts">
        Estimated cost {costText(cost, plan.cost)}
        {bytes !== null && <> · about {formatBytes(bytes)}</>}
      </p>
      {note && <p className="small figures warn lab-note">{note}</p>}
      {measurement && <p className="small figures lab-measured">{measuredText(measurement)}</p>}
      {failure !== null && (
        <p className="small error lab-failure" role="alert">
          {failure}
        </p>
      )}
      <details className="lab-plan">
        <summary>Query plan with this index</summary>
        <PlanTable steps={planSteps(plan.lines)} />
      </details>
    </li>
  );
}

/** “1,240 → 38, 33 times less”. */
export function costText(before: number, after: number): string {
  const [from, to] = [Math.round(before), Math.round(after)];
  const times = before / Math.max(1, after);
  const gain =
    times >= 10
      ? `, ${formatCount(Math.round(times))} times less`
      : times > 1.05
        ? `, ${formatFixed(times, 1)} times less`
        : '';
  return `${formatCount(from)} → ${formatCount(to)}${gain}`;
}

/** Note to show before the index is created; null if there is none. */
export function noteOn({ isUsed, isUsedNow, servedBy }: IndexCandidate): string | null {
  if (servedBy !== null) return `${servedBy} already does everything this index would do.`;
  if (!isUsed && !isUsedNow) return 'SQLite would not use this index for the statement.';
  if (!isUsedNow)
    return 'SQLite uses this index only after ANALYZE: without statistics about it, another plan looks cheaper. To run ANALYZE, choose Show Health.';
  if (!isUsed)
    return 'SQLite would use this index only until ANALYZE runs: statistics show that another plan is cheaper.';
  return null;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** A fitting index makes statements faster than durations elsewhere can show. */
const timeText = (ms: number): string => (ms < 1 ? `${Math.max(1, Math.round(ms * 1000))} µs` : formatDuration(ms));

const spread = (values: readonly number[]): string => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.length > 1 ? ` (${timeText(least)} to ${timeText(most)})` : '';
};

export function measuredText({ beforeMs, afterMs, buildMs, bytes }: IndexMeasurement): string {
  const side = (values: readonly number[]): string => `${timeText(median(values))}${spread(values)}`;
  return `Measured in a copy: ${side(beforeMs)} without it, ${side(afterMs)} with it. It takes ${formatBytes(bytes)} and ${timeText(buildMs)} to build.`;
}
