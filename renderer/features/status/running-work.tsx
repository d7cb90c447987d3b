// What the worker is busy with, for whom and for how long, and the way to stop it.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Work } from '#shared/protocol/index.ts';
import { commandKeyLabel, useCommand } from '../../client/commands.ts';
import { client } from '../../client/database-client.ts';
import { notifyFailure } from '../../client/databases.ts';
import { confirm, useStore } from '../../client/store.ts';
import { Button } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

const SHOWN_AFTER_MS = 400;
const STUBBORN_AFTER_MS = 5000;
const TICK_MS = 100;

export function RunningWork(): ReactNode {
  const work = useStore((state) => state.work);
  useCommand('work.stop', () => work && void stopWork(work), work !== null);
  return work && <WorkItem key={work.id} work={work} />;
}

function WorkItem({ work }: { readonly work: Work }): ReactNode {
  const elapsedMs = useElapsed(work.startedAtMs);
  const [stopAskedMs, setStopAskedMs] = useState<number | null>(null);
  if (elapsedMs < SHOWN_AFTER_MS) return null;
  const isStubborn = stopAskedMs !== null && elapsedMs - stopAskedMs > STUBBORN_AFTER_MS;
  const stop = (): void => {
    setStopAskedMs(elapsedMs);
    void stopWork(work);
  };
  return (
    <span className="status-work" role="status">
      <i className="status-pulse" />
      <Tooltip text={`${work.title}\n${work.databaseName}, for ${work.windowTitle}`}>
        <span className="status-work-title">{work.title}</span>
      </Tooltip>
      <span>{formatDuration(elapsedMs)}</span>
      {isStubborn ? (
        <Button size="small" look="danger" onClick={() => void restart()}>
          Restart engine…
        </Button>
      ) : (
        <Button
          size="small"
          className="status-stop"
          disabled={stopAskedMs !== null}
          title={commandKeyLabel('work.stop')}
          onClick={stop}
        >
          {stopAskedMs === null ? 'Stop' : 'Stopping…'}
        </Button>
      )}
    </span>
  );
}

/** By the wall clock: the worker's own clock counts from another beginning. */
function useElapsed(startedAtMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - startedAtMs);
}

async function stopWork({ id }: Work): Promise<void> {
  await client.control('work.stop', { id }).catch(notifyFailure);
}

async function restart(): Promise<void> {
  const agreed = await confirm({
    title: 'Restart the database engine?',
    body: 'The running statement does not react. After a restart everything that was committed is there; this statement and open transactions are rolled back.',
    confirmLabel: 'Restart',
    danger: true,
  });
  if (agreed) await client.control('host.restart', {}).catch(notifyFailure);
}
