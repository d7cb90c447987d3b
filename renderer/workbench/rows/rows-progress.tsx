// Shown over a table while its rows are being read and none of them is loaded, or while the rows on screen are in another order: how long
// the work has taken, and Stop.
import type { ReactNode } from 'react';
import type { DatabaseId, Work } from '#shared/protocol/index.ts';
import { rowsKey } from '#shared/rows-key.ts';
import { client } from '../../connection/database-client.ts';
import { useOwnWindowId } from '../../connection/use-own-window-id.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { shareOf } from '../../ui/progress-text.ts';
import { RunProgress } from '../../ui/run-bar.tsx';
import { useNow } from '../../ui/use-now.ts';
import { commandKeyLabel } from '../commands/commands.ts';
import './rows.css';

const SHOWN_AFTER_MS = 400;
const TICK_MS = 100;

interface RowsProgressProps {
  readonly database: DatabaseId;
  readonly table: string;
  readonly text: string;
}

export function RowsProgress({ database, table, text }: RowsProgressProps): ReactNode {
  const windowId = useOwnWindowId();
  const key = rowsKey(database, table);
  const work = useStore(({ works }) => works.find((one) => one.rowsOf === key && one.windowId === windowId) ?? null);
  return work && <Progress key={work.id} work={work} text={text} />;
}

/** Progress of a table that is not open yet, and of work that must end before; a server that does not answer may delay any of it. */
export function OpeningProgress({ database, table }: Omit<RowsProgressProps, 'text'>): ReactNode {
  const key = rowsKey(database, table);
  const work = useStore(
    ({ works }) =>
      works.find(({ rowsOf }) => rowsOf === key) ?? works.find((one) => client.runsBeside(one, database)) ?? null,
  );
  return (
    work && (
      <Progress
        key={work.id}
        work={work}
        text={work.rowsOf === key ? 'Opening the table' : `Waiting for “${work.title}”`}
      />
    )
  );
}

function Progress({ work, text }: { readonly work: Work; readonly text: string }): ReactNode {
  // Use the wall clock: the worker's `performance.now` has a different origin.
  const now = useNow(TICK_MS, Date.now);
  const elapsedMs = now - work.startedAtMs;
  if (elapsedMs < SHOWN_AFTER_MS) return null;
  return (
    <div className="row note ruled-bar clip gap-8 sunken run-bar rows-progress" role="group" aria-label="Reading rows">
      <RunProgress
        text={text}
        share={shareOf(work.progress)}
        elapsedMs={elapsedMs}
        stopping={work.stopAskedAtMs !== null}
        stopTitle={commandKeyLabel('work.stop') ?? ''}
        onStop={() => void client.stopWork(work).catch(notifyFailure)}
      />
    </div>
  );
}
