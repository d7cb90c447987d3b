// An SQL tab: the editor above, the results below.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useCommand } from '../../workbench/commands/commands.ts';
import { EditorSplit } from '../../workbench/text/editor-split.tsx';
import type { QueryTab as Tab } from '../../workbench/tabs/query.ts';
import { takeStart } from '../../workbench/text/start-requests.ts';
import { useStore } from '../../state/store.ts';
import { useOwnWindowId } from '../../connection/use-own-window-id.ts';
import { PaneBoundary } from '../../ui/pane-boundary.tsx';
import { FileProblemBar } from './file-problem-bar.tsx';
import { ParameterStrip } from './parameter-strip.tsx';
import { QueryBar } from './query-bar.tsx';
import { querySessionOf } from './query-session.ts';
import { ResultsPanel } from './results-panel.tsx';
import './query.css';

interface QueryTabProps {
  readonly tab: Tab;
  /** The changes of a dry run; replaces the results until they are kept or discarded. */
  readonly dryRun: ReactNode;
}

export function QueryTab({ tab, dryRun }: QueryTabProps) {
  const session = querySessionOf(tab);
  const view = session.useView();
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const transaction = useStore(({ openDatabases }) => openDatabases[tab.database]?.transaction ?? null);
  const windowId = useOwnWindowId();

  const wasDryRun = useRef(false);
  useEffect(() => {
    // The button that ended it is gone: work continues with the text.
    if (wasDryRun.current && !dryRun && document.activeElement === document.body) session.editor.focus();
    wasDryRun.current = Boolean(dryRun);
  }, [session, dryRun]);

  useEffect(() => {
    if (takeStart(tab.id)) session.runAll();
  }, [session, tab.id]);

  const isIdle = view.running === null && !dryRun;
  const runHere = (): void => void session.runHere();
  const runAll = (): void => session.runAll();
  const stop = (): void => session.stop();
  useCommand('query.run', runHere, isActive && isIdle);
  useCommand('query.runAll', runAll, isActive && isIdle);
  useCommand('query.dryRun', () => void session.dryRun('here'), isActive && isIdle);
  useCommand('query.dryRunAll', () => void session.dryRun('all'), isActive && isIdle);
  useCommand('query.explain', () => void session.plans.explain(), isActive && isIdle);
  useCommand('query.findIndexes', () => void session.plans.findIndexes(), isActive && isIdle);
  useCommand('query.saveFile', () => void session.file.save(), isActive);
  useCommand('query.saveFileAs', () => void session.file.saveAs(), isActive);
  useCommand('work.stop', stop, isActive && view.running !== null);

  const parameters = <ParameterStrip tab={tab} session={session} asked={view.asked} />;
  return (
    <EditorSplit tab={tab} editor={session.editor} underText={parameters}>
      <QueryBar
        session={session}
        database={tab.database}
        file={tab.file}
        running={view.running}
        isDryRun={Boolean(dryRun)}
        transaction={transaction}
        isMine={transaction?.windowId === windowId}
      />
      <PaneBoundary name="The results" of={view.shown}>
        {dryRun || (
          <ResultsPanel
            tab={tab}
            session={session}
            results={view.results}
            messages={view.messages}
            plan={view.plan}
            part={view.shown}
            compared={view.compared}
            isRunning={view.running !== null}
          />
        )}
      </PaneBoundary>
      {/* Comes by itself: above, it would push everything down. */}
      <FileProblemBar tab={tab} session={session.file} />
    </EditorSplit>
  );
}
