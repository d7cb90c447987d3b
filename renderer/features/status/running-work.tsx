// The worker's current task, what it is for, how long it has run and how far it is, and the way to stop it.
import type { ReactNode } from 'react';
import type { Work } from '#shared/protocol/index.ts';
import { commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { isUnresponsive } from '../../workbench/unresponsive-work.ts';
import { Button } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { amountText, shareOf, timeLeftText } from '../../ui/progress-text.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { offerRestart } from './engine-restart.ts';

const SHOWN_AFTER_MS = 400;
const TICK_MS = 100;

/** Work that everything else waits for comes first. */
export function RunningWork(): ReactNode {
  const works = useStore((state) => state.works);
  const holding = works.find(({ holdsSinceMs }) => holdsSinceMs !== null);
  const work = holding ?? works.find(({ stopAskedAtMs }) => stopAskedAtMs !== null) ?? works[0] ?? null;
  useCommand('work.stop', () => work && stopWork(work), work !== null);
  return work && <WorkItem key={work.id} work={work} others={works.filter((other) => other !== work)} />;
}

function WorkItem({ work, others }: { readonly work: Work; readonly others: readonly Work[] }): ReactNode {
  // Use the wall clock: the worker's `performance.now` has a different origin.
  const now = useNow(TICK_MS, Date.now);
  const elapsedMs = Math.max(0, now - work.startedAtMs);
  const leftMs = useTimeLeft(work.progress, now);
  if (elapsedMs < SHOWN_AFTER_MS) return null;
  const { progress, stopAskedAtMs, waitingFor } = work;
  const title = waitingFor === null ? work.title : `Waiting for ${waitingFor}`;
  return (
    <span className="row gap-8 shrink-x status-work" role="status">
      <i className="status-pulse" />
      <Tooltip
        text={`${title}\n${waitingFor === null ? '' : `It has the file locked. ${work.title} continues when it is done.\n`}${work.databaseName}, for ${work.windowTitle}`}
      >
        <span className="status-work-title">{title}</span>
      </Tooltip>
      {/* What comes later takes its room from the title. */}
      {others.length > 0 && <Others works={others} />}
      <span className="status-item status-optional status-amount">{progress && amountText(progress)}</span>
      <span className="status-item status-optional status-left">{leftMs !== null && timeLeftText(leftMs)}</span>
      <span className="status-work-progress">
        {shareOf(progress) !== null && <ProgressBar label={work.title} share={shareOf(progress)} />}
      </span>
      <span className="status-item status-elapsed">{formatDuration(elapsedMs)}</span>
      {isUnresponsive(work, [work, ...others], now) ? (
        <Button size="small" variant="danger" className="status-stop" onClick={() => void offerRestart(work)}>
          Restart engine…
        </Button>
      ) : (
        <Button
          size="small"
          className="status-stop"
          disabled={stopAskedAtMs !== null}
          title={commandKeyLabel('work.stop')}
          // Keep the focus: what is being stopped may be the storing of an open cell.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => stopWork(work)}
        >
          {stopAskedAtMs === null ? 'Stop' : 'Stopping…'}
        </Button>
      )}
    </span>
  );
}

function Others({ works }: { readonly works: readonly Work[] }): ReactNode {
  const entries = works.map((work) => ({
    label: `Stop ${work.title}`,
    disabled: work.stopAskedAtMs !== null,
    run: () => stopWork(work),
  }));
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button type="button" className="status-button status-others">
          {works.length} more
        </button>
      }
      entries={entries}
    />
  );
}

function stopWork(work: Work): void {
  client.stopWork(work).catch(notifyFailure);
}
