// Shows the effect of a statement, row by row, before it is kept or discarded.
import { FlaskConical } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import type { DryRunReply } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { finishDryRun } from '../../workbench/text/dry-run.ts';
import type { DryRun } from '../../state/slices/history.ts';
import { Button } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/format.ts';
import { useNow } from '../../ui/use-now.ts';
import { DifferenceTable } from '../../workbench/differences/difference-table.tsx';
import { isListed, outcomeLabel, unseenWords } from '../../workbench/differences/outcome-label.ts';

const SHOWN_AFTER_MS = 150;
const TICK_MS = 100;

interface DryRunPanelProps {
  readonly tabId: string;
  readonly dryRun: DryRun;
}

export function DryRunPanel({ tabId, dryRun }: DryRunPanelProps): ReactNode {
  const { reply, phase } = dryRun;
  return (
    <section className="stack fill dry-run" aria-label="Dry run">
      {reply ? (
        <Outcome tabId={tabId} dryRun={dryRun} reply={reply} isBusy={phase !== 'open'} />
      ) : (
        <Running dryRun={dryRun} />
      )}
    </section>
  );
}

function Running({ dryRun: { startedAtMs, stopping, stop } }: { readonly dryRun: DryRun }): ReactNode {
  const now = useNow(TICK_MS);
  if (now - startedAtMs < SHOWN_AFTER_MS) return null;
  return (
    <div className="row warn-note gap-10 dry-run-head">
      <span role="status">Dry run in progress; nothing is saved · {formatDuration(now - startedAtMs)}</span>
      <Button size="small" variant="danger" disabled={stopping} onClick={stop}>
        {stopping ? 'Stopping' : 'Stop'}
      </Button>
    </div>
  );
}

interface OutcomeProps extends DryRunPanelProps {
  readonly reply: DryRunReply;
  readonly isBusy: boolean;
}

function Outcome({ tabId, dryRun: { database }, reply, isBusy }: OutcomeProps): ReactNode {
  const read = useCallback(
    (start: number, count: number) => client.call('dryRun.rows', { database, start, count }),
    [database],
  );
  return (
    <>
      <div className="row warn-note gap-10 dry-run-head">
        <FlaskConical size={15} aria-hidden />
        <div className="stack fill-x small dry-run-words" role="status">
          <b>{outcomeLabel(reply)}</b>
          <span>
            Not saved yet. Cascades and triggers are included; took {formatDuration(reply.timeMs)}. Closing this tab or
            the window discards it. {unseenWords(reply)}
          </span>
        </div>
        <Button size="small" disabled={isBusy} onClick={() => void finishDryRun(tabId, false)}>
          Discard
        </Button>
        <Button size="small" variant="primary" disabled={isBusy} onClick={() => void finishDryRun(tabId, true)}>
          Keep
        </Button>
      </div>
      <div className="fill">
        <DifferenceTable
          label="Rows of the dry run"
          tables={reply.tables}
          read={read}
          empty={isListed(reply) ? 'No rows would change.' : 'The rows are not listed.'}
        />
      </div>
    </>
  );
}
