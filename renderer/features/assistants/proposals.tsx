// The dialog with a change that an assistant proposes: who asks, why, the SQL, and the rows. The button that keeps it never has the focus first,
// and the dialog closes with each decision, so that one key or click decides about one change.
import { useCallback, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { visibleLines, visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { useSetting } from '../../state/settings.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { isAsked, useAssistants, waitingIn } from '../../workbench/assistants/assistants.ts';
import type { Review } from '../../workbench/assistants/assistants.ts';
import {
  changesOnlyRows,
  closeReview,
  discardReview,
  keepReview,
  reviewNext,
} from '../../workbench/assistants/review.ts';
import { DifferenceTable } from '../../workbench/differences/difference-table.tsx';
import { isListed, outcomeLabel, unseenWords } from '../../workbench/differences/outcome-label.ts';
import './assistants.css';

/** In the status bar, as long as assistants may propose changes: what comes and goes moves nothing. */
export function ProposalsChip(): ReactNode {
  const isOn = useSetting('assistants');
  const count = useAssistants((state) => waitingIn(state).length);
  if (!isOn) return null;
  return (
    <button
      type="button"
      className={`status-button status-pending${count > 0 ? ' warn' : ''}`}
      aria-label={`Proposals of assistants: ${count}`}
      disabled={count === 0}
      onClick={() => void reviewNext()}
    >
      {count === 0 ? 'no proposals' : plural(count, 'proposal')}
    </button>
  );
}

export function ProposalDialog(): ReactNode {
  const review = useAssistants((state) => state.review);
  return review && <ReviewDialog key={review.proposal.id} review={review} />;
}

function ReviewDialog({ review }: { readonly review: Review }): ReactNode {
  const { proposal, change, phase, reply } = review;
  const [andLater, setAndLater] = useState(false);
  const later = useRef<HTMLButtonElement>(null);
  const isWaiting = useAssistants((state) => isAsked(state, proposal.id));
  const others = useAssistants((state) => waitingIn(state).filter(({ id }) => id !== proposal.id).length);
  const isOnlyRows = phase === 'open' && reply !== null && changesOnlyRows(change.sql, reply);
  const tables = (reply?.tables ?? []).map(({ table }) => `“${visibleName(table)}”`).join(', ');
  return (
    <Dialog
      title="Proposals of assistants"
      wide
      initialFocus={later}
      onClose={closeReview}
      footer={
        <>
          <Button ref={later} onClick={closeReview}>
            Decide later
          </Button>
          <Button disabled={phase === 'finishing'} onClick={() => void discardReview()}>
            Discard
          </Button>
          <Button
            variant="primary"
            disabled={phase !== 'open' || !isWaiting}
            onClick={() => void keepReview(andLater && isOnlyRows)}
          >
            Keep
          </Button>
        </>
      }
    >
      <div className="proposal">
        <p>
          An assistant that calls itself <b>{change.client}</b> proposes a change to{' '}
          <b>{visibleName(proposal.fileName)}</b>.{others > 0 && ` ${others} more ${others === 1 ? 'waits' : 'wait'}.`}
        </p>
        {change.reason === '' ? (
          <p className="dim">It gave no reason.</p>
        ) : (
          <blockquote className="proposal-reason" aria-label="Its reason" tabIndex={0}>
            {change.reason}
          </blockquote>
        )}
        <pre className="sql-block" aria-label="SQL" tabIndex={0}>
          {visibleLines(change.sql)}
        </pre>
        <p role="status">{wordsOf(review)}</p>
        <div className="proposal-rows">{reply && phase !== 'failed' && <Rows review={review} reply={reply} />}</div>
        <CheckBox
          label={`Keep later changes to only rows of ${tables || 'the same tables'} without asking, until this assistant disconnects`}
          checked={andLater && isOnlyRows}
          disabled={!isOnlyRows}
          onChange={setAndLater}
        />
      </div>
    </Dialog>
  );
}

function Rows({ review, reply }: { readonly review: Review; readonly reply: NonNullable<Review['reply']> }): ReactNode {
  const { database } = review.proposal;
  const read = useCallback(
    (start: number, count: number) => client.call('dryRun.rows', { database, start, count }),
    [database],
  );
  return (
    <DifferenceTable
      label="Rows of the proposal"
      tables={reply.tables}
      read={read}
      empty={isListed(reply) ? 'No rows would change.' : 'The rows are not listed.'}
    />
  );
}

function wordsOf({ phase, reply, said }: Review): string {
  if (reply === null || phase === 'failed') return phase === 'running' ? 'Trying it; nothing is saved…' : (said ?? '');
  const outcome = `${outcomeLabel(reply)}, cascades and triggers included. Not saved yet.`;
  return [said, outcome, unseenWords(reply)].filter(Boolean).join(' ');
}
