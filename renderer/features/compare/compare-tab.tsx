// A Compare tab: the text above, the results of both engines below.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useCommand } from '../../workbench/commands/commands.ts';
import { EditorSplit } from '../../workbench/text/editor-split.tsx';
import { takeStart } from '../../workbench/text/start-requests.ts';
import type { ComparePart, CompareTab as Tab } from '../../workbench/tabs/compare.ts';
import { setTabStatus, updateTab, useStore } from '../../state/store.ts';
import { CompareBar } from './compare-bar.tsx';
import { compareSessionOf } from './compare-session.ts';
import type { CompareSession } from './compare-session.ts';
import type { Comparison, CompareView } from './compare-view.ts';
import { EnginesPart } from './engines-part.tsx';
import { Notes } from './notes.tsx';
import { PlansPart } from './plans-part.tsx';
import { RowsPart } from './rows-part.tsx';
import { TimesPart } from './times-part.tsx';
import './compare.css';

export function CompareTab({ tab }: { readonly tab: Tab }): ReactNode {
  const session = compareSessionOf(tab);
  const view = session.useView();
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  useEffect(() => {
    if (takeStart(tab.id)) void session.compare();
  }, [session, tab.id]);
  useEffect(() => setTabStatus(tab.id, statusOf(view)), [tab.id, view]);

  const isIdle = view.running === null;
  const isBusy = !isIdle || view.timing?.state === 'running';
  const compare = (): void => void session.compare();
  useCommand('query.compare', compare, isActive && isIdle);
  useCommand('query.run', compare, isActive && isIdle);
  useCommand('query.runAll', compare, isActive && isIdle);
  useCommand('work.stop', () => session.stop(), isActive && isBusy);

  usePartCommands(tab.id, isActive);

  return (
    <EditorSplit tab={tab} editor={session.editor}>
      <CompareBar
        view={view}
        part={tab.part}
        onPart={(part) => updateTab<Tab>(tab.id, { part })}
        onCompare={compare}
        onStop={() => session.stop()}
      />
      <Content tabId={tab.id} part={tab.part} session={session} view={view} isActive={isActive} />
    </EditorSplit>
  );
}

/** These commands have no keys and are meant for the palette: the grids need Tab themselves. */
function usePartCommands(tabId: string, isActive: boolean): void {
  const show = (part: ComparePart) => (): void => updateTab<Tab>(tabId, { part });
  useCommand('compare.rows', show('rows'), isActive);
  useCommand('compare.plans', show('plans'), isActive);
  useCommand('compare.times', show('times'), isActive);
  useCommand('compare.engines', show('engines'), isActive);
}

interface ContentProps {
  readonly tabId: string;
  readonly part: ComparePart;
  readonly session: CompareSession;
  readonly view: CompareView;
  readonly isActive: boolean;
}

function Content({ part, session, view, isActive }: ContentProps): ReactNode {
  const { comparison, problem } = view;
  if (problem)
    return (
      <p className="compare-problem selectable" role="alert">
        {problem}
      </p>
    );
  if (!comparison) return view.running ? null : <Invitation />;
  return (
    <div className="stack fill" role="tabpanel" aria-label={PART_NAMES[part]}>
      <Notes session={session} view={view} comparison={comparison} part={part} />
      <Part part={part} session={session} view={view} comparison={comparison} isActive={isActive} />
    </div>
  );
}

function Part({
  part,
  session,
  view,
  comparison,
  isActive,
}: Omit<ContentProps, 'tabId'> & { readonly comparison: Comparison }): ReactNode {
  const pair = comparison.pairs[view.shown] ?? null;
  const choice = { pairs: comparison.pairs, shown: view.shown, onShow: (position: number) => session.show(position) };
  switch (part) {
    case 'rows':
      return (
        <RowsPart
          key={`${comparison.id} ${view.shown}`}
          session={session}
          comparison={comparison}
          pair={pair}
          choice={choice}
          isActive={isActive}
        />
      );
    case 'plans':
      return <PlansPart pair={pair} choice={choice} />;
    case 'times':
      return <TimesPart timing={view.timing} onMeasure={() => void session.measure()} onStop={() => session.stop()} />;
    case 'engines':
      return <EnginesPart comparison={comparison} />;
  }
}

const PART_NAMES: Readonly<Record<ComparePart, string>> = {
  rows: 'Rows',
  plans: 'Plans',
  times: 'Times',
  engines: 'Engines',
};

function Invitation(): ReactNode {
  return (
    <p className="compare-empty">
      Runs the same SQL on both engines, WebAssembly and native, over the same data. Rows, plans, times, and settings
      are shown side by side. Writes are rolled back on both.
    </p>
  );
}

function statusOf({ comparison, shown }: CompareView) {
  const pair = comparison?.pairs[shown];
  const rows = pair?.wasm.kind === 'ran' ? (pair.wasm.statement.result?.rows ?? null) : null;
  return { rows, exact: true };
}
