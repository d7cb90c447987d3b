// A diagram in words: its tables and its relations as two tables, for screen readers and for users who prefer text.
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseId, Relation } from '#shared/protocol/index.ts';
import { formatCount } from '../../ui/format.ts';
import type { DiagramTab } from '../../workbench/tabs/diagram.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import type { DiagramSession } from './diagram-session.ts';
import { relationId } from './graph.ts';
import type { Graph, GraphNode } from './graph.ts';
import { RelationTools } from './relation-item.tsx';
import { shownName } from './scene.ts';
import type { DiagramView } from './view.ts';
import { actionsText, fromText, kindText, toText } from './relation-labels.ts';

interface RelationListProps {
  readonly session: DiagramSession;
  readonly tab: DiagramTab;
  readonly view: DiagramView;
  readonly graph: Graph;
  readonly matches: ReadonlySet<string> | null;
}

export function RelationList({ session, tab, view, graph, matches }: RelationListProps): ReactNode {
  const isShown = (...names: readonly string[]): boolean => matches === null || names.some((name) => matches.has(name));
  const names = useMemo(() => new Set(graph.nodes.map(({ name }) => name)), [graph]);
  // Relations without a target are not in the diagram, but they are what a user reading the list is looking for.
  const relations = (view.diagram?.relations ?? []).filter(
    ({ table, target, origin, problem }) =>
      names.has(table) && (names.has(target) || problem !== null) && (tab.likely || origin === 'declared'),
  );
  return (
    <div className="diagram-list diagram-focus" role="region" aria-label="Tables and relations" tabIndex={0}>
      <table>
        <caption>Tables</caption>
        <thead>
          <tr>
            <th scope="col">Table</th>
            <th scope="col">Columns</th>
            <th scope="col">Refers to</th>
            <th scope="col">Referred to by</th>
          </tr>
        </thead>
        <tbody>
          {graph.nodes
            .filter(({ name }) => isShown(name))
            .map((node) => (
              <TableRow key={node.name} node={node} relations={relations} database={tab.database} />
            ))}
        </tbody>
      </table>
      <table>
        <caption>Relations</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Kind</th>
            <th scope="col">Actions</th>
            <th scope="col">Rows</th>
          </tr>
        </thead>
        <tbody>
          {relations
            .filter(({ table, target }) => isShown(table, target))
            .map((relation, at) => (
              <tr key={`${relationId(relation)} ${at}`}>
                <th scope="row">{fromText(relation)}</th>
                <td>{toText(relation)}</td>
                <td>{kindText(relation)}</td>
                <td>{actionsText(relation) ?? '–'}</td>
                <td className="diagram-tools">
                  <RelationTools session={session} database={tab.database} relation={relation} counts={view.counts} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

interface TableRowProps {
  readonly node: GraphNode;
  readonly relations: readonly Relation[];
  readonly database: DatabaseId;
}

function TableRow({ node: { name, kind, rows, hidden }, relations, database }: TableRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">
        <button type="button" className="link-button" onClick={() => openTable(database, name)}>
          {shownName(name)}
        </button>
        {kind !== 'table' && <span className="diagram-kind"> {kind}</span>}
      </th>
      <td>{formatCount(rows.length + hidden)}</td>
      <td>{others(relations.filter(({ table }) => table === name).map(({ target }) => target))}</td>
      <td>{others(relations.filter(({ target }) => target === name).map(({ table }) => table))}</td>
    </tr>
  );
}

const others = (names: readonly string[]): string => [...new Set(names.map(shownName))].join(', ') || '–';
