// The window: top bar, panes, status bar, and overlays.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { shell } from '../connection/shell.ts';
import { useSettings } from '../state/settings.ts';
import {
  dismissNotice,
  editConnection,
  publishDatabase,
  setOverlay,
  showComparison,
  showMerge,
  useStore,
} from '../state/store.ts';
import { useCompareCommands } from '../features/compare/compare-commands.ts';
import { Connect } from '../features/connect/connect-dialog.tsx';
import { useConnectCommands } from '../features/connect/connect-commands.ts';
import { useDiagramCommands } from '../features/diagram/diagram-commands.ts';
import { Export } from '../features/export/export-commands.tsx';
import { useHealthCommands } from '../features/health/health-commands.ts';
import { useHeldCommands } from '../features/held-changes/held-commands.ts';
import { useSearchCommands } from '../features/search/search-commands.ts';
import { useSchemaCompareCommands } from '../features/schema-compare/schema-compare-commands.ts';
import { Help } from '../features/help/help.tsx';
import { DifferenceTable, ValueText } from '../workbench/differences/difference-table.tsx';
import { History } from '../features/history/history-commands.tsx';
import { useImportCommands } from '../features/import/import-commands.ts';
import { ImportRecipes } from '../features/import/recipes-dialog.tsx';
import { showRecipes } from '../features/import/recipes-shown.ts';
import { JobCards } from '../features/library/job-cards.tsx';
import { useLibraryCommands } from '../features/library/library-commands.ts';
import { LibraryView } from '../features/library/library-view.tsx';
import { openFiles, openSaved, showFromLibrary } from '../features/library/opening.ts';
import { Welcome } from '../features/library/welcome.tsx';
import { LiveCounters } from '../features/live/live-counters.tsx';
import { ObjectActions } from '../features/object-actions/object-actions.tsx';
import { Print } from '../features/print/print.tsx';
import { Publish } from '../features/publish/publish-dialog.tsx';
import { useReplicaCommands } from '../features/replicas/replica-commands.ts';
import { Replicas } from '../features/replicas/replica-dialog.tsx';
import { useQueryLogCommands } from '../features/query-log/query-log-commands.ts';
import { Palette } from '../features/palette/palette.tsx';
import { useSavedQueryCommands } from '../features/saved-queries/saved-queries-commands.ts';
import { useSettingsCommands } from '../features/settings/settings-commands.ts';
import { SourceChip } from '../features/source/source-chip.tsx';
import { Source } from '../features/source/source-commands.tsx';
import { StatusBar } from '../features/status/status-bar.tsx';
import { Announcer } from '../ui/announcer.tsx';
import { PaneBoundary } from '../ui/pane-boundary.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { closeExport } from '../workbench/files/export-request.ts';
import { closeObjectAction } from '../workbench/objects/object-actions.ts';
import './app.css';
import { Connecting, DisconnectedBanner, Refused, Restoring } from './connection-screens.tsx';
import { DropZone } from './drop-zone.tsx';
import { Panes } from './panes.tsx';
import { Questions } from './questions.tsx';
import { SandboxWarning } from './sandbox-warning.tsx';
import { TopBar } from './top-bar.tsx';
import { useWindowCommands } from './window-commands.ts';

const takeFiles = (files: readonly OpenedFile[], table: string | null): void => void openFiles(files, { table });

export function App(): ReactNode {
  const notices = useStore((state) => state.notices);
  useSettings(({ values }) => values); // formats and keys are in texts all over the window
  useLibraryCommands();
  useWindowCommands();
  useCompareCommands();
  useConnectCommands();
  useReplicaCommands();
  useHealthCommands();
  useHeldCommands();
  useSearchCommands();
  useSchemaCompareCommands();
  useImportCommands();
  useDiagramCommands();
  useQueryLogCommands();
  useSavedQueryCommands();
  useSettingsCommands();
  useWindowTitle();
  return (
    <div className="app">
      <PaneBoundary name="The bar at the top" variant="line">
        <div>
          <TopBar />
          <SandboxWarning />
        </div>
        <DisconnectedBanner />
      </PaneBoundary>
      <main className="app-main">
        <PaneBoundary name="The contents of the window">
          <Content />
        </PaneBoundary>
      </main>
      <PaneBoundary name="The status bar" variant="line">
        <StatusBar source={<SourceChip />} />
      </PaneBoundary>
      <div className="app-corner">
        <PaneBoundary name="Running work" variant="line">
          <JobCards />
        </PaneBoundary>
        <PaneBoundary name="A message" variant="line" of={notices}>
          <Toasts toasts={notices} onDismiss={dismissNotice} />
        </PaneBoundary>
      </div>
      <Announcer />
      <Dialogs />
      <DropZone onFiles={takeFiles} />
    </div>
  );
}

/** The dialogs over the window. One that cannot be shown is closed: its caller would otherwise wait for an answer forever. */
function Dialogs(): ReactNode {
  const question = useStore((state) => state.questions[0]);
  const refuse = (): void => {
    if (question?.kind === 'confirm') question.answer(false);
    else question?.answer(null);
  };
  const closeOverlay = (): void => setOverlay(null);
  const closeHistory = (): void => useStore.getState().conflictQuestion?.answer(null);
  const closeSource = (): void => {
    showComparison(null);
    showMerge(null);
  };
  return (
    <>
      <PaneBoundary name="The list of commands" variant="dialog" onDismiss={closeOverlay}>
        <Palette onDatabase={(entry) => void showFromLibrary(entry.id)} />
      </PaneBoundary>
      <PaneBoundary name="The live counters" variant="dialog">
        <LiveCounters />
      </PaneBoundary>
      <PaneBoundary name="The help" variant="dialog" onDismiss={closeOverlay}>
        <Help />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={closeHistory}>
        <History />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={closeSource}>
        <Source Differences={DifferenceTable} Value={ValueText} />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={closeExport}>
        <Export />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog">
        <Print />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={closeObjectAction}>
        <ObjectActions />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={() => showRecipes(false)}>
        <ImportRecipes />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={() => editConnection(null)}>
        <Connect onSaved={({ database }) => void openSaved(database)} />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={() => publishDatabase(null)}>
        <Publish onOpen={(database) => void showFromLibrary(database)} />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={closeOverlay}>
        <Replicas onOpened={(database) => void showFromLibrary(database)} />
      </PaneBoundary>
      <PaneBoundary name="This question" variant="dialog" of={question} onDismiss={refuse}>
        <Questions />
      </PaneBoundary>
    </>
  );
}

function Content(): ReactNode {
  const status = useStore((state) => state.connection.status);
  const hasEntries = useStore((state) => state.entries !== null);
  const database = useStore((state) => state.currentDatabase);
  const libraryVisible = useStore((state) => state.libraryVisible);
  const hasTabs = useStore((state) => state.tabs.length > 0);
  const isRestoring = useStore((state) => state.isRestoring);
  if (status === 'refused') return <Refused />;
  if (!hasEntries) return <Connecting />;
  if (libraryVisible) return <LibraryView />;
  if (database || hasTabs) return <Panes database={database} />;
  return isRestoring ? <Restoring /> : <Welcome />;
}

function useWindowTitle(): void {
  const name = useStore((state) =>
    state.currentDatabase ? state.openDatabases[state.currentDatabase]?.entry.name : undefined,
  );
  useEffect(() => {
    // The next title takes the place of one that main did not take.
    shell.setTitle(name ? visibleText(`${visibleName(name)} – Sidelite`) : 'Sidelite').catch(() => undefined);
  }, [name]);
}
