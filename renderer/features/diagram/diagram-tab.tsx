// The content of a diagram tab.
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { DatabaseId, Relation } from '#shared/protocol/index.ts';
import { useSchema } from '../../state/schema.ts';
import { updateTab, useStore } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { runCommand, useCommand } from '../../workbench/commands/commands.ts';
import type { DiagramTab } from '../../workbench/tabs/diagram.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { usePictureOffer } from '../../workbench/files/export-request.ts';
import { DiagramBar, diagramTitle, printedDiagram, type Search } from './diagram-bar.tsx';
import { DiagramCanvas } from './diagram-canvas.tsx';
import { diagramSessionOf, type DiagramSession } from './diagram-session.ts';
import './diagram.css';
import { findTables, nextIn } from './walk.ts';
import { relationId, type Graph, type GraphNode } from './graph.ts';
import { actionsText, fromText, kindText, toText, countsText } from './relation-labels.ts';
import { shownName } from './scene.ts';
import type { DiagramView, CountState } from './view.ts';
import { Square } from 'lucide-react';
import { askForeignKey } from '../../workbench/objects/object-actions.ts';
import { showAsSql } from './diagram-menu.ts';

export function DiagramTabContent({ tab }: TabContentProps<DiagramTab>): ReactNode {
  const session = diagramSessionOf(tab);
  const view = session.useView();
  const schemaVersion = useSchema(tab.database)?.schemaVersion;
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const { search, matches } = useSearch(session, view, tab.table === null);
  useEffect(() => session.adopt(tab), [session, tab]);
  useEffect(() => {
    if (schemaVersion !== undefined) session.follow(schemaVersion);
  }, [session, schemaVersion, view.diagram]);
  useCommand('grid.filter', () => search.field.current?.select(), isActive);
  useCommand('diagram.fit', () => session.fit(), isActive && !tab.list);
  useCommand('diagram.layOutAgain', () => session.layOutAgain(), isActive && view.placement !== null);
  useCommand('diagram.list', () => updateTab<DiagramTab>(tab.id, { list: !tab.list }), isActive);
  const { placement } = view;
  usePictureOffer(isActive && placement !== null && placement.nodes.length > 0, () => ({
    label: tab.table === null ? 'Diagram' : `Diagram around ${shownName(tab.table)}`,
    fileName: diagramTitle(tab).replace(': ', ' '),
    pictureNow: () => printedDiagram({ placement: placement!, title: diagramTitle(tab) }),
  }));
  const isCounting = [...view.counts.values()].some(({ state }) => state === 'running');
  useCommand('work.stop', () => session.stopCounting(), isActive && isCounting);

  return (
    <div className="tab-page">
      <DiagramBar session={session} tab={tab} view={view} search={search} />
      <Notes session={session} tab={tab} view={view} />
      <Content session={session} tab={tab} view={view} matches={matches} />
    </div>
  );
}

function Content({
  session,
  tab,
  view,
  matches,
}: Pick<RelationListProps, 'session' | 'tab' | 'view'> & { readonly matches: ReadonlySet<string> | null }): ReactNode {
  const { failure, graph, placement } = view;
  if (failure !== null) return <CenterMessage role="alert" text={failure} onTryAgain={() => session.tryAgain()} />;
  if (!graph || !placement) return <div className="fill sunken clip diagram-surface" />;
  if (graph.nodes.length === 0) return <NoTables tab={tab} />;
  if (tab.list) return <RelationList session={session} tab={tab} view={view} graph={graph} matches={matches} />;
  return (
    <>
      <DiagramCanvas session={session} tab={tab} view={view} graph={graph} placement={placement} matches={matches} />
      <RelationStrip session={session} database={tab.database} view={view} likely={tab.likely} />
    </>
  );
}

function NoTables({ tab }: { readonly tab: DiagramTab }): ReactNode {
  return (
    <div className="center-message" role="status">
      {tab.table === null ? (
        <>
          <p>This database has no tables.</p>
          <Button onClick={() => runCommand('query.new')}>New SQL tab</Button>
        </>
      ) : (
        <p>The table “{tab.table}” no longer exists.</p>
      )}
    </div>
  );
}

function Notes({ session, tab, view }: Pick<RelationListProps, 'session' | 'tab' | 'view'>): ReactNode {
  const { graph, layoutProblem } = view;
  const shown = new Set(graph?.nodes.map(({ name }) => name));
  const broken = (view.diagram?.relations ?? []).filter(
    ({ table, problem }) => problem !== null && shown.has(table),
  ).length;
  const around = (tab.table ?? tab.around)?.toLowerCase();
  const center = graph?.nodes.find(({ name }) => name.toLowerCase() === around);
  const isWithoutKeys = graph !== null && graph.nodes.length > 1 && graph.edges.length === 0 && broken === 0;
  return (
    <>
      {layoutProblem !== null && (
        <p className="warn-note ruled diagram-why" role="alert">
          The tables could not be laid out, so they are shown in rows ({layoutProblem}).{' '}
          <button type="button" className="link-button" onClick={() => session.layOutAgain()}>
            Lay out again
          </button>
        </p>
      )}
      {graph !== null && graph.left > 0 && (
        <p className="dim diagram-note" role="status">
          {formatCount(graph.nodes.length)} of {plural(graph.nodes.length + graph.left, 'table')}:{' '}
          {center === undefined ? 'the one with the most relations' : shownName(center.name)}, and those nearest to it.
          {tab.table === null && ' Find another table to see the ones around it.'}
        </p>
      )}
      {isWithoutKeys && (
        <p className="dim diagram-note" role="status">
          {tab.likely
            ? 'No foreign keys are declared here, and column names do not suggest any.'
            : 'No foreign keys are declared here.'}
        </p>
      )}
      {broken > 0 && !tab.list && (
        <p className="warn-note ruled diagram-why" role="status">
          {broken === 1 ? 'One foreign key refers' : `${broken} foreign keys refer`} to a table or column that does not
          exist.{' '}
          <button type="button" className="link-button" onClick={() => updateTab<DiagramTab>(tab.id, { list: true })}>
            Show as list
          </button>
        </p>
      )}
    </>
  );
}

function useSearch(session: DiagramSession, { diagram, graph, placement, cursor }: DiagramView, isWhole: boolean) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(() => {
    const others = isWhole && graph !== null && graph.left > 0 ? diagram?.tables : [];
    return placement ? findTables(text, placement.nodes, others ?? []) : null;
  }, [text, diagram, graph, placement, isWhole]);
  const matches = useMemo(() => (found ? new Set(found) : null), [found]);
  const search: Search = {
    text,
    matches: found,
    field,
    onText: setText,
    onStep(step) {
      const next = nextIn(found ?? [], cursor, step);
      if (next !== null) session.goTo(next, 'center');
    },
    onLeave() {
      setText('');
      document.querySelector<HTMLElement>('.diagram-focus')?.focus();
    },
  };
  return { search, matches };
}

// Below a diagram: the relations of the table the cursor is at, or the line that was chosen.

interface RelationStripProps {
  readonly session: DiagramSession;
  readonly database: DatabaseId;
  readonly view: DiagramView;
  readonly likely: boolean;
}

function RelationStrip({ session, database, view, likely }: RelationStripProps): ReactNode {
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

// A diagram in words: its tables and its relations as two tables, for screen readers and for users who prefer text.

interface RelationListProps {
  readonly session: DiagramSession;
  readonly tab: DiagramTab;
  readonly view: DiagramView;
  readonly graph: Graph;
  readonly matches: ReadonlySet<string> | null;
}

function RelationList({ session, tab, view, graph, matches }: RelationListProps): ReactNode {
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

interface RelationToolsProps {
  readonly session: DiagramSession;
  readonly database: DatabaseId;
  readonly relation: Relation;
  readonly counts: ReadonlyMap<string, CountState>;
}

function RelationTools({ session, database, relation, counts }: RelationToolsProps): ReactNode {
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
