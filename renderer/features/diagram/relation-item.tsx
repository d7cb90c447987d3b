// One relation in words, with its actions.
import { Square } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { Button } from '../../ui/button.tsx';
import { askForeignKey } from '../../workbench/objects/object-actions.ts';
import { showAsSql } from './diagram-menu.ts';
import type { DiagramSession } from './diagram-session.ts';
import type { Relation } from '#shared/protocol/index.ts';
import { relationId } from './graph.ts';
import type { CountState } from './view.ts';
import { countsText } from './relation-labels.ts';

interface RelationToolsProps {
  readonly session: DiagramSession;
  readonly database: DatabaseId;
  readonly relation: Relation;
  readonly counts: ReadonlyMap<string, CountState>;
}

export function RelationTools({ session, database, relation, counts }: RelationToolsProps): ReactNode {
  const state = counts.get(relationId(relation));
  const name = `${relation.table} (${relation.columns.join(', ')})`;
  const isLikely = relation.origin === 'likely';
  if (relation.problem !== null) return <span className="error">{relation.problem}</span>;
  return (
    <>
      {state?.state === 'running' ? (
        <Button size="small" variant="danger" aria-label={`Stop: ${name}`} onClick={() => session.stopCounting()}>
          <Square size={12} aria-hidden /> Stop
        </Button>
      ) : (
        <Button
          size="small"
          aria-label={`${isLikely ? 'Check values' : 'Count rows'} of ${name}`}
          onClick={() => session.count(relation)}
        >
          {isLikely ? 'Check values' : 'Count rows'}
        </Button>
      )}
      {isLikely && (
        <Button
          size="small"
          aria-label={`Add foreign key: ${name}`}
          title="Shows the SQL and the rows in the way before anything is changed."
          onClick={() => void askForeignKey(database, relation)}
        >
          Add foreign key…
        </Button>
      )}
      {isLikely && (
        <Button
          size="small"
          aria-label={`Show as SQL: ${name}`}
          title="Opens the foreign key as SQL, and the rows that would violate it, in a new SQL tab. Nothing is run."
          onClick={() => showAsSql(database, relation)}
        >
          Show as SQL
        </Button>
      )}
      <span className="dim figures diagram-counts" role="status">
        {state?.state === 'running' && 'Counting'}
        {state?.state === 'failed' && <span className="error">{state.message}</span>}
        {state?.state === 'counted' && (
          <span className={state.counts.broken > 0 ? 'error' : undefined}>{countsText(relation, state.counts)}</span>
        )}
      </span>
    </>
  );
}
