// The held changes, one line each: the SQL, whether it still fits the stored rows, and its actions.
import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { visibleText } from '#shared/visible-text.ts';
import type { ChangeState } from '#shared/protocol/edit.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useRowWindow } from '../../ui/use-row-window.ts';
import type { PendingChange } from '../../workbench/held/held-changes.ts';
import { literal } from '../../workbench/held/held-sql.ts';
import type { Held } from '../../workbench/held/held-store.ts';
import { decideConflict, discardOne } from '../../workbench/held/save-held.ts';

const LINE_PX = 28;
/** Two lines: beneath the SQL, what is stored now and what to do about it. */
const TALL_LINE_PX = 56;
/** The rest of a statement is on the clipboard, with all of them. */
const SHOWN_CHARS = 400;

interface HeldListProps {
  readonly database: DatabaseId;
  readonly held: Held;
  sqlOf(pending: PendingChange): string;
  /** The change that could not be saved. */
  readonly failed: string | null;
}

export function HeldList({ database, held, sqlOf, failed }: HeldListProps): ReactNode {
  const { pending, states } = held;
  const list = useRef<HTMLDivElement>(null);
  const isTall = pending.some(({ name }) => wordsOf(states.get(name)) !== null);
  const linePx = isTall ? TALL_LINE_PX : LINE_PX;
  const { from, to } = useRowWindow(list, pending.length, linePx);
  const failedAt = pending.findIndex(({ name }) => name === failed);
  useEffect(() => {
    if (failedAt >= 0) list.current?.scrollTo({ top: failedAt * linePx });
  }, [failedAt, linePx]);
  return (
    <div ref={list} className="scroll ruled held-list" tabIndex={0} role="region" aria-label="SQL">
      <div style={{ height: pending.length * linePx }}>
        <ol data-tall={isTall || undefined} style={{ transform: `translateY(${from * linePx}px)` }} start={from + 1}>
          {pending.slice(from, to).map((each) => (
            <Line
              key={each.name}
              database={database}
              pending={each}
              sql={sqlOf(each)}
              state={states.get(each.name)}
              isFailed={each.name === failed}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

interface LineProps {
  readonly database: DatabaseId;
  readonly pending: PendingChange;
  readonly sql: string;
  readonly state: ChangeState | undefined;
  readonly isFailed: boolean;
}

function Line({ database, pending, sql, state, isFailed }: LineProps): ReactNode {
  const words = wordsOf(state);
  return (
    <li data-state={isFailed ? 'failed' : state?.kind}>
      <code title={sql.length > SHOWN_CHARS ? undefined : visibleText(sql)}>
        {visibleText(sql.slice(0, SHOWN_CHARS))}
        {sql.length > SHOWN_CHARS && '…'}
      </code>
      {words !== null && (
        <div className="row gap-8 shrink-x held-words">
          <span title={visibleText(words)}>{visibleText(words)}</span>
          {state?.kind === 'conflict' && (
            <>
              <Button size="small" onClick={() => void decideConflict(database, pending, 'mine')}>
                Keep mine
              </Button>
              <Button size="small" onClick={() => void decideConflict(database, pending, 'stored')}>
                Take stored
              </Button>
            </>
          )}
        </div>
      )}
      <IconButton label="Discard this change" onClick={() => void discardOne(database, pending)}>
        <X size={13} aria-hidden />
      </IconButton>
    </li>
  );
}

function wordsOf(state: ChangeState | undefined): string | null {
  switch (state?.kind) {
    case 'conflict': {
      const stored = Object.entries(state.current).map(([column, value]) => `${column} ${literal(value).slice(0, 80)}`);
      return `Stored now: ${stored.join(', ')}`;
    }
    case 'gone':
      return state.why;
    case 'done':
      return 'Already stored';
    default:
      return null;
  }
}
