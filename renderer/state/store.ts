// The window's only store. Rows are never kept in it.
import { create } from 'zustand';
import { createConnectionSlice } from './slices/connection.ts';
import type { ConnectionSlice } from './slices/connection.ts';
import { createDetailSlice } from './slices/detail.ts';
import type { DetailSlice } from './slices/detail.ts';
import { createDialogsSlice } from './slices/dialogs.ts';
import type { DialogsSlice } from './slices/dialogs.ts';
import { createHistorySlice } from './slices/history.ts';
import type { HistorySlice } from './slices/history.ts';
import { createLibrarySlice } from './slices/library.ts';
import type { LibrarySlice } from './slices/library.ts';
import { createMeasuringSlice } from './slices/measuring.ts';
import type { MeasuringSlice } from './slices/measuring.ts';
import { createNoticesSlice } from './slices/notices.ts';
import type { NoticesSlice } from './slices/notices.ts';
import { createRemoteSlice } from './slices/remote.ts';
import type { RemoteSlice } from './slices/remote.ts';
import { createSourcesSlice } from './slices/sources.ts';
import type { SourcesSlice } from './slices/sources.ts';
import { createStatusSlice } from './slices/status.ts';
import type { StatusSlice } from './slices/status.ts';
import { createTabsSlice } from './slices/tabs.ts';
import type { Tab, TabsSlice } from './slices/tabs.ts';
import { createUiSlice } from './slices/ui.ts';
import type { UiSlice } from './slices/ui.ts';

export type AppState = ConnectionSlice &
  LibrarySlice &
  TabsSlice &
  StatusSlice &
  DetailSlice &
  MeasuringSlice &
  NoticesSlice &
  DialogsSlice &
  HistorySlice &
  RemoteSlice &
  SourcesSlice &
  UiSlice;

export const useStore = create<AppState>()((...tools) => ({
  ...createConnectionSlice(...tools),
  ...createLibrarySlice(...tools),
  ...createTabsSlice(...tools),
  ...createStatusSlice(...tools),
  ...createDetailSlice(...tools),
  ...createMeasuringSlice(...tools),
  ...createNoticesSlice(...tools),
  ...createDialogsSlice(...tools),
  ...createHistorySlice(...tools),
  ...createRemoteSlice(...tools),
  ...createSourcesSlice(...tools),
  ...createUiSlice(...tools),
}));

/** The actions, for code outside components. They never change. */
export const {
  putDatabaseState,
  dropDatabaseState,
  showDatabase,
  openTab,
  openSingleTab,
  closeTab,
  closeTabsOf,
  reopenTab,
  takeWaitingTabs,
  activateTab,
  moveTab,
  updateTab,
  splitTabs,
  updateSplit,
  closeSplit,
  setTabStatus,
  setDetail,
  notify,
  dismissNotice,
  dismissTopic,
  confirm,
  choose,
  pickOne,
  prompt,
  askKey,
  putHistory,
  askConflicts,
  putDryRun,
  putConnections,
  countRows,
  editConnection,
  publishDatabase,
  putSource,
  showComparison,
  showMerge,
  setLayout,
  toggleDetails,
  setNarrow,
  setOverlay,
  showLibrary,
  toggleTabMovesFocus,
} = useStore.getState();

export const activeTab = (state: AppState): Tab | null =>
  state.tabs.find((tab) => tab.id === state.activeTabId) ?? null;
