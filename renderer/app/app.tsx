// The window: top bar, panes, status bar, and what lies over them.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { shell } from '../client/shell.ts';
import { dismissNotice, useStore } from '../client/store.ts';
import { useCompareCommands } from '../features/compare/compare-commands.ts';
import { Help } from '../features/help/help.tsx';
import { DifferenceTable, ValueText } from '../features/history/difference-table.tsx';
import { History } from '../features/history/history-commands.tsx';
import { JobCards } from '../features/library/job-cards.tsx';
import { useLibraryCommands } from '../features/library/library-commands.ts';
import { LibraryView } from '../features/library/library-view.tsx';
import { openFiles, showFromLibrary } from '../features/library/opening.ts';
import { Welcome } from '../features/library/welcome.tsx';
import { LiveCounters } from '../features/live/live-counters.tsx';
import { Palette } from '../features/palette/palette.tsx';
import { SourceChip } from '../features/source/source-chip.tsx';
import { Source } from '../features/source/source-commands.tsx';
import { StatusBar } from '../features/status/status-bar.tsx';
import { Toasts } from '../ui/toasts.tsx';
import './app.css';
import { Connecting, DisconnectedBanner, Refused } from './connection-screens.tsx';
import { DropZone } from './drop-zone.tsx';
import { Panes } from './panes.tsx';
import { Questions } from './questions.tsx';
import { SandboxWarning } from './sandbox-warning.tsx';
import { TopBar } from './top-bar.tsx';
import { useWindowCommands } from './window-commands.ts';

const takeFiles = (files: Parameters<typeof openFiles>[0]): void => void openFiles(files);

export function App(): ReactNode {
  const notices = useStore((state) => state.notices);
  useLibraryCommands();
  useWindowCommands();
  useCompareCommands();
  useWindowTitle();
  return (
    <div className="app">
      <div>
        <TopBar />
        <SandboxWarning />
      </div>
      <DisconnectedBanner />
      <div className="app-main">
        <Content />
      </div>
      <StatusBar place={<SourceChip />} />
      <div className="app-corner">
        <JobCards />
        <Toasts toasts={notices} onDismiss={dismissNotice} />
      </div>
      <Palette onDatabase={(entry) => void showFromLibrary(entry.id)} />
      <LiveCounters />
      <Help />
      <History />
      <Source Differences={DifferenceTable} Value={ValueText} />
      <Questions />
      <DropZone onFiles={takeFiles} />
    </div>
  );
}

function Content(): ReactNode {
  const status = useStore((state) => state.connection.status);
  const hasEntries = useStore((state) => state.entries !== null);
  const database = useStore((state) => state.currentDatabase);
  const libraryVisible = useStore((state) => state.libraryVisible);
  const hasTabs = useStore((state) => state.tabs.length > 0);
  if (status === 'refused') return <Refused />;
  if (!hasEntries) return <Connecting />;
  if (libraryVisible) return <LibraryView />;
  return database || hasTabs ? <Panes database={database} /> : <Welcome />;
}

function useWindowTitle(): void {
  const name = useStore((state) =>
    state.currentDatabase ? state.openDatabases[state.currentDatabase]?.entry.name : undefined,
  );
  useEffect(() => {
    // The next title takes the place of one that main did not take.
    shell.setTitle(name ? `${name} – Sidelite` : 'Sidelite').catch(() => undefined);
  }, [name]);
}
