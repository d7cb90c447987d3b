// A SQL tab: the editor above, what it came to below.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useCommand } from '../../client/commands.ts';
import { useColumns } from '../../client/schema.ts';
import type { QueryTab as Tab } from '../../client/slices/tabs.ts';
import { updateTab, useStore } from '../../client/store.ts';
import { SqlEditor } from '../../editor/sql-editor.tsx';
import { QueryBar } from './query-bar.tsx';
import { sessionOf } from './query-sessions.ts';
import { ResultsPanel } from './results-panel.tsx';
import { useOwnWindowId } from '../../client/use-own-window-id.ts';
import './query.css';

const EDITOR = 'editor';

interface QueryTabProps {
  readonly tab: Tab;
  /** What a statement on trial would change, in place of the results until that is decided. */
  readonly trial: ReactNode;
}

export function QueryTab({ tab, trial }: QueryTabProps) {
  const session = sessionOf(tab);
  const view = useSyncExternalStore(session.subscribe, session.view);
  const columns = useColumns(tab.database);
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const transaction = useStore(({ openDatabases }) => openDatabases[tab.database]?.transaction ?? null);
  const windowId = useOwnWindowId();

  useEffect(() => session.setColumns(columns ?? []), [session, columns]);

  const wasOnTrial = useRef(false);
  useEffect(() => {
    // The button that ended it is gone: on goes the work with the text.
    if (wasOnTrial.current && !trial && document.activeElement === document.body) session.focusEditor();
    wasOnTrial.current = Boolean(trial);
  }, [session, trial]);

  const isIdle = view.running === null && !trial;
  const runHere = (): void => void session.runHere();
  const runAll = (): void => session.runAll();
  const stop = (): void => session.stop();
  useCommand('query.run', runHere, isActive && isIdle);
  useCommand('query.runAll', runAll, isActive && isIdle);
  useCommand('query.dryRun', () => void session.dryRun('here'), isActive && isIdle);
  useCommand('query.dryRunAll', () => void session.dryRun('all'), isActive && isIdle);
  useCommand('work.stop', stop, isActive && view.running !== null);

  return (
    <div className="query-tab" data-scope="editor">
      <Group
        orientation="vertical"
        onLayoutChanged={(layout, { isUserInteraction }) => {
          if (isUserInteraction) updateTab(tab.id, { split: (layout[EDITOR] ?? 42) / 100 });
        }}
      >
        <Panel id={EDITOR} defaultSize={`${tab.split * 100}%`} minSize="60px">
          <SqlEditor key={tab.id} takeState={session.takeEditor} onView={session.onEditor} autoFocus />
        </Panel>
        <Separator className="query-separator" aria-label="Height of the editor" />
        <Panel id="results" minSize="90px" className="query-lower">
          <QueryBar
            running={view.running}
            isOnTrial={Boolean(trial)}
            transaction={
              transaction && { mine: transaction.windowId === windowId, windowTitle: transaction.windowTitle }
            }
            onRun={runHere}
            onRunAll={runAll}
            onStop={stop}
          />
          {trial || <ResultsPanel tab={tab} session={session} view={view} />}
        </Panel>
      </Group>
    </div>
  );
}
