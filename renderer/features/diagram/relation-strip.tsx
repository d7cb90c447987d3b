// Below a diagram: the relations of the table the cursor is at, or the line that was chosen.
import type { ReactNode } from 'react';
import type { DatabaseId, Relation } from '#shared/protocol/index.ts';
import type { DiagramSession } from './diagram-session.ts';
import { relationId } from './graph.ts';
import { RelationTools } from './relation-item.tsx';
import { shownName } from './scene.ts';
import type { DiagramView } from './view.ts';
import { actionsText, fromText, kindText, toText } from './relation-labels.ts';

interface RelationStripProps {
  readonly session: DiagramSession;
  readonly database: DatabaseId;
  readonly view: DiagramView;
  readonly likely: boolean;
}

export function RelationStrip({ session, database, view, likely }: RelationStripProps): ReactNode {
  const shown = shownRelations(view, likely);
  if (!shown) return null;
  return (
    <section className="fixed scroll inner-focus diagram-strip" aria-label={`Relations of ${shown.title}`} tabIndex={0}>
      {shown.relations.length === 0 && (
        <p className="dim diagram-note">{shown.title} refers to no table, and no table refers to it.</p>
      )}
      <ul>
        {shown.relations.map((relation, at) => (
          <li key={`${relationId(relation)} ${at}`}>
            <span className="strong break-words">
              {fromText(relation)} → {toText(relation)}
            </span>
            <span className="diagram-kind">
              {[kindText(relation), actionsText(relation)].filter(Boolean).join(', ')}
            </span>
            <RelationTools session={session} database={database} relation={relation} counts={view.counts} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function shownRelations(
  { diagram, graph, cursor, selected }: DiagramView,
  likely: boolean,
): { readonly title: string; readonly relations: readonly Relation[] } | null {
  const edge = graph?.edges.find(({ id }) => id === selected);
  if (edge) return { title: fromText(edge.relation), relations: [edge.relation] };
  if (cursor === null || !diagram) return null;
  const relations = diagram.relations.filter(
    ({ table, target, origin }) => (table === cursor || target === cursor) && (likely || origin === 'declared'),
  );
  return { title: shownName(cursor), relations };
}
