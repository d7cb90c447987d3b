// What the user should know about the comparison: what was left out, rolled back, or has changed since.
import type { ReactNode } from 'react';
import type { ComparePart } from '../../workbench/tabs/compare.ts';
import { confirm, useStore } from '../../state/store.ts';
import type { CompareSession } from './compare-session.ts';
import type { Comparison, CompareView } from './compare-view.ts';
import { ENGINES } from './sides.ts';

interface NotesProps {
  readonly session: CompareSession;
  readonly view: CompareView;
  readonly comparison: Comparison;
  readonly part: ComparePart;
}

export function Notes({ session, view, comparison, part }: NotesProps): ReactNode {
  const { wrote, committedOnly, unsettled, runs } = comparison;
  const isBusy = view.running !== null;
  // Where rows are shown, the side itself says that it is missing.
  const missing = (part === 'rows' ? [] : ENGINES).flatMap((engine) => {
    const run = runs[engine];
    return run.kind === 'missing' ? [{ engine, why: run.why }] : [];
  });
  return (
    <>
      {missing.map(({ engine, why }) => (
        <Note key={engine} tone="warn">
          Not compared: {engine} is missing. {why}
        </Note>
      ))}
      {view.stale && (
        <Note tone="warn" action="Compare again" isBusy={isBusy} onAction={() => void session.compare()}>
          Data changed since
        </Note>
      )}
      {unsettled && (
        <Note tone="warn">
          The data kept changing during the comparison, so the results may differ for that reason.
        </Note>
      )}
      {committedOnly && (
        <Note tone="plain">
          A transaction is open. Only committed data is compared: both sides run on copies of it.
        </Note>
      )}
      {wrote && (
        <Note tone="plain" action="Keep the changes…" isBusy={isBusy} onAction={() => void askToKeep(session)}>
          This SQL writes, so it was rolled back on both sides
        </Note>
      )}
    </>
  );
}

interface NoteProps {
  readonly tone: 'warn' | 'plain';
  readonly children: ReactNode;
  readonly action?: string;
  readonly isBusy?: boolean;
  readonly onAction?: () => void;
}

function Note({ tone, children, action, isBusy, onAction }: NoteProps): ReactNode {
  return (
    <p className={`note ruled-bar gap-10 compare-note compare-note-${tone}`} role="status">
      <span>{children}</span>
      {action && (
        <button type="button" className="link-button" disabled={isBusy} onClick={onAction}>
          {action}
        </button>
      )}
    </p>
  );
}

async function askToKeep(session: CompareSession): Promise<void> {
  const { openDatabases, currentDatabase } = useStore.getState();
  const name = currentDatabase ? openDatabases[currentDatabase]?.entry.name : undefined;
  const agreed = await confirm({
    title: 'Run it again and keep the changes?',
    body: `The SQL runs on ${name ? `“${name}”` : 'the database'} as in an SQL tab. The other engine gets a new copy with the next comparison.`,
    confirmLabel: 'Run and keep',
  });
  if (agreed) await session.keep();
}
