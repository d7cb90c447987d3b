// The window: top bar, panes, status bar, and overlays.
import { useEffect, useState, type ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import type { DroppedFile, OpenedFile, WindowInfo } from '#shared/shell-api.ts';
import { isDesktop, shell } from '../connection/shell.ts';
import { useSetting, useSettings } from '../state/settings.ts';
import {
  activeTab,
  dismissNotice,
  editConnection,
  notify,
  publishDatabase,
  setLayout,
  setOverlay,
  showComparison,
  showMerge,
  useStore,
  type AppState,
} from '../state/store.ts';
import { useAssistantCommands } from '../features/assistants/assistant-commands.ts';
import { ConnectAssistant } from '../features/assistants/connect-assistant.tsx';
import { ProposalDialog, ProposalsChip } from '../features/assistants/proposals.tsx';
import { useTabCommands } from './tab-commands.ts';
import { Connect, useConnectCommands } from '../features/connect/connect-dialog.tsx';
import { Export } from '../features/export/export-commands.tsx';
import { Help } from '../features/help/help.tsx';
import { DifferenceTable } from '../workbench/differences/difference-table.tsx';
import { History } from '../features/history/history-commands.tsx';
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
import { Conflicts } from '../features/conflicts/conflicts-dialog.tsx';
import { connectAssistant } from '../workbench/assistants/assistants.ts';
import { closeReview } from '../workbench/assistants/review.ts';
import { openConflicts } from '../workbench/differences/open-conflicts.ts';
import { useGitCommands, GitRevisions } from '../features/git/git-dialog.tsx';
import { compareWithGit } from '../workbench/databases/git-files.ts';
import { useReplicaCommands, Replicas } from '../features/replicas/replica-dialog.tsx';
import { Palette } from '../features/palette/palette.tsx';
import { useSavedQueryCommands } from '../features/saved-queries/saved-queries-commands.ts';
import { SourceChip, Source } from '../features/source/source-commands.tsx';
import { StatusBar } from '../features/status/status-bar.tsx';
import { Announcer } from '../ui/announcer.tsx';
import { PaneBoundary } from '../ui/pane-boundary.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { closeExport } from '../workbench/files/export-request.ts';
import { closeObjectAction } from '../workbench/objects/object-actions.ts';
import './app.css';
import { Connecting, DisconnectedBanner, Refused, Restoring } from './connection-screens.tsx';
import type { SettingValues } from '#shared/settings/definitions.ts';
import { withoutSideFiles } from '../connection/web-files.ts';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { currentDetail } from '../state/slices/detail.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { areDetailsVisible } from '../state/slices/ui.ts';
import { tabKindOf, tabTitle } from '../state/tab-kinds.ts';
import { DetailsPanel } from '../features/details/details-panel.tsx';
import { HeldBar, useHeldCommands } from '../features/held-changes/held-bar.tsx';
import { SchemaTree } from '../features/schema-tree/schema-tree.tsx';
import { TabSides } from './tab-sides.tsx';
import { TabStrip } from './tab-strip.tsx';
import { Questions } from './questions.tsx';
import { X } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import './sandbox-warning.css';
import { TopBar } from './top-bar.tsx';
import { windowTitleOf } from '../workbench/window-title.ts';
import { useWindowCommands } from './window-commands.ts';

const ADVICE: Readonly<Record<NonNullable<WindowInfo['noSandbox']>, string>> = {
  root: 'It is running as root. Start it as a regular user.',
  'app-image':
    'The system does not let the AppImage create user namespaces. Allow them for the AppImage, or install Sidelite as a package.',
  switch: 'It was started with --no-sandbox. Start it without that option.',
};

/** Stays until the user hides it, and is shown again at the next start. */
function SandboxWarning(): ReactNode {
  const [why, setWhy] = useState<WindowInfo['noSandbox']>(null);
  useEffect(() => {
    // If main does not answer, the rest of the window already reports that.
    const nothing = (): void => undefined;
    void shell.windowInfo().then(({ noSandbox }) => setWhy(noSandbox), nothing);
  }, []);
  if (why === null) return null;
  return (
    <div className="warn-note gap-8 sandbox-warning" role="alert">
      <p className="selectable">
        <b>Sidelite is running without its sandbox.</b> A malicious database file could access everything you can.{' '}
        {ADVICE[why]}
      </p>
      <IconButton label="Hide" onClick={() => setWhy(null)}>
        <X size={14} />
      </IconButton>
    </div>
  );
}

/** In a small window the tabs keep about half of it. */
const SIDE_SHARE = 0.26;
const MAX_SHARE = 0.45;
const SIDE = { maxSize: `${MAX_SHARE * 100}%`, groupResizeBehavior: 'preserve-pixel-size' } as const;

/** The heading of the page, for users who cannot see which tab is active. */
function headingOf(state: AppState, database: string | null): string {
  const tab = activeTab(state);
  const name = database && state.openDatabases[database]?.entry.name;
  return [tab && visibleName(tabTitle(tab)), name && visibleName(name)].filter(Boolean).join(', ');
}

/** A small window makes the outer panes narrower for as long as it is small: only what a person chose is kept. */
function keepWidths({ objects, details }: Partial<Record<string, number>>): void {
  const { sidebarWidth, detailsWidth } = useStore.getState().layout;
  const chosen = (percentage: number | undefined, before: number): number => {
    const now = percentage === undefined ? before : Math.round((window.innerWidth * percentage) / 100);
    return Math.abs(now - widthAtStart(before)) > 1 ? now : before;
  };
  setLayout({ sidebarWidth: chosen(objects, sidebarWidth), detailsWidth: chosen(details, detailsWidth) });
}

function widthAtStart(wanted: number): number {
  const share = useStore.getState().isNarrow ? SIDE_SHARE : MAX_SHARE;
  return Math.min(wanted, Math.round(window.innerWidth * share));
}

const hasDetails = (tab: Tab | null): boolean => tab === null || tabKindOf(tab).hasDetails;

/** @param database whose objects are shown; null when no database is open */
function Panes({ database }: { readonly database: string | null }): ReactNode {
  // Use only the start values: following each pixel of a drag would render every pane again.
  const { layout } = useStore.getState();
  const tabs = useStore((state) => state.tabs);
  const detail = useStore(currentDetail);
  const heading = useStore((state) => headingOf(state, database));
  const isWanted = useStore((state) => state.layout.sidebarVisible);
  const sidebarVisible = isWanted && database !== null;
  const detailsVisible = useStore((state) => areDetailsVisible(state) && hasDetails(activeTab(state)));
  return (
    <Group
      orientation="horizontal"
      className="app-panes"
      onLayoutChanged={(shares, { isUserInteraction }) => isUserInteraction && keepWidths(shares)}
    >
      {sidebarVisible && (
        <Panel {...SIDE} id="objects" defaultSize={widthAtStart(layout.sidebarWidth)} minSize={140}>
          <PaneBoundary name="The list of objects" of={database}>
            <SchemaTree key={database} database={database} />
          </PaneBoundary>
        </Panel>
      )}
      {sidebarVisible && <Separator className="pane-separator" aria-label="Width of the objects" />}
      <Panel id="tabs" minSize={240}>
        <div className="stack shrink-x full-height app-center">
          <h1 className="visually-hidden">{heading}</h1>
          <PaneBoundary name="The list of tabs" variant="line" of={tabs}>
            <TabStrip />
          </PaneBoundary>
          <TabSides />
          <PaneBoundary name="The held changes" variant="line" of={database}>
            <HeldBar database={database} />
          </PaneBoundary>
        </div>
      </Panel>
      {detailsVisible && <Separator className="pane-separator" aria-label="Width of the details" />}
      {detailsVisible && (
        <Panel {...SIDE} id="details" defaultSize={widthAtStart(layout.detailsWidth)} minSize={180}>
          <PaneBoundary name="The details" of={detail}>
            <DetailsPanel />
          </PaneBoundary>
        </Panel>
      )}
    </Group>
  );
}

/** How a file that is dropped now is opened. */
const WAYS: Readonly<Record<SettingValues['openFiles'], string>> = {
  'first-edit': '',
  ask: '',
  copy: 'a copy in the library',
  'in-place': 'in place',
};

interface DropZoneProps {
  /** `table`: the one they were dropped on, of the current database. */
  readonly onFiles: (files: readonly OpenedFile[], table: string | null) => void;
}

function DropZone({ onFiles }: DropZoneProps): ReactNode {
  const [isOver, setIsOver] = useState(false);
  const [table, setTable] = useState<string | null>(null);
  const [hasRows, setHasRows] = useState(false);
  const chosen = useSetting('openFiles');
  const way = isDesktop ? chosen : 'copy';
  useEffect(() => {
    // Entering a child comes before leaving its parent, so a count tells when the pointer has left the window.
    let depth = 0;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return refuseLink(event);
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setTable(tableUnder(event));
      setHasRows([...event.dataTransfer.items].every(({ type }) => ROW_TYPES.test(type)));
      if (event.type === 'dragenter' && ++depth === 1) {
        setIsOver(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') && --depth <= 0) setIsOver(false);
    };
    let droppedOn: string | null = null;
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // The desktop's Chromium tells main of a drop that no page handles; a browser would leave the page for the file.
      if (isDesktop) event.stopPropagation();
      else event.preventDefault();
      depth = 0;
      droppedOn = tableUnder(event);
      setIsOver(false);
    };
    shell.onFilesDropped((files) => onFiles(onDisk(files), droppedOn));
    const events = { dragenter: over, dragover: over, dragleave: leave, drop };
    // Listen in the capture phase: in a browser the files are reported in the bubble phase.
    for (const [name, listener] of Object.entries(events))
      window.addEventListener(name, listener as EventListener, true);
    return () => {
      for (const [name, listener] of Object.entries(events))
        window.removeEventListener(name, listener as EventListener, true);
    };
  }, [onFiles]);
  if (!isOver) return null;
  // Before the drop, browsers report only the types of files, and not of all files.
  const importing = table === null ? 'Drop to import' : `Drop to import into “${table}”`;
  return (
    <div className="drop-zone">{hasRows || table !== null ? importing : `Drop to open ${WAYS[way]}`.trimEnd()}</div>
  );
}

/** The desktop's Chromium would offer to open a link of another program, which main refuses. As text it may go into a field. */
function refuseLink(event: DragEvent): void {
  const isInField = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
  if (!isDesktop || isInField || !event.dataTransfer?.types.includes('text/uri-list')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

/** Types of files whose rows are imported. */
const ROW_TYPES = /^text\/|json$|spreadsheetml/;

/** Rows of the tree say which table they are (`data-table`). */
const tableUnder = ({ target }: DragEvent): string | null =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-table]')?.dataset['table'] ?? null) : null;

function onDisk(files: readonly DroppedFile[]): readonly OpenedFile[] {
  const wanted = withoutSideFiles(files);
  for (const { name, file } of wanted)
    if (!file) notify({ tone: 'warning', text: `“${name}” is not a file on this computer’s disk.` });
  return wanted.flatMap(({ file }) => file ?? []);
}

const takeFiles = (files: readonly OpenedFile[], table: string | null): void => void openFiles(files, { table });

export function App(): ReactNode {
  const notices = useStore((state) => state.notices);
  useSettings(({ values }) => values); // formats and keys are in texts all over the window
  useLibraryCommands();
  useWindowCommands();
  useTabCommands();
  useConnectCommands();
  useReplicaCommands();
  useGitCommands();
  useAssistantCommands();
  useHeldCommands();
  useSavedQueryCommands();
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
      <main className="shrink-y">
        <PaneBoundary name="The contents of the window">
          <Content />
        </PaneBoundary>
      </main>
      <PaneBoundary name="The status bar" variant="line">
        <StatusBar source={<SourceChip />} proposals={<ProposalsChip />} />
      </PaneBoundary>
      <div className="stack gap-8 app-corner">
        <PaneBoundary name="Running work" variant="line">
          <JobCards />
        </PaneBoundary>
        <PaneBoundary name="A message" variant="line" of={notices}>
          <Toasts toasts={notices} onDismiss={dismissNotice} />
        </PaneBoundary>
      </div>
      <Announcer />
      <Dialogs />
      <AssistantDialogs />
      <DropZone onFiles={takeFiles} />
    </div>
  );
}

function closeSource(): void {
  showComparison(null);
  showMerge(null);
}

/** The dialogs over the window. One that cannot be shown is closed: its caller would otherwise wait for an answer forever. */
function Dialogs(): ReactNode {
  const question = useStore((state) => state.questions[0]);
  const refuse = (): void => {
    if (question?.kind === 'confirm' || question?.kind === 'key') question.answer(false);
    else question?.answer(null);
  };
  const closeOverlay = (): void => setOverlay(null);
  const closeHistory = (): void => useStore.getState().conflictQuestion?.answer(null);
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
        <Source Differences={DifferenceTable} />
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
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={() => openConflicts(null)}>
        <Conflicts />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={() => compareWithGit(null)}>
        <GitRevisions />
      </PaneBoundary>
      <PaneBoundary name="This question" variant="dialog" of={question} onDismiss={refuse}>
        <Questions />
      </PaneBoundary>
    </>
  );
}

function AssistantDialogs(): ReactNode {
  return (
    <>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={() => connectAssistant(null)}>
        <ConnectAssistant />
      </PaneBoundary>
      <PaneBoundary name="This dialog" variant="dialog" onDismiss={closeReview}>
        <ProposalDialog />
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
  const title = useStore(windowTitleOf);
  useEffect(() => {
    // The next title takes the place of one that main did not take.
    shell.setTitle(title).catch(() => undefined);
  }, [title]);
}
