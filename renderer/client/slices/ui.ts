// State: the arrangement of the window.
import type { StateCreator } from 'zustand';

export type Theme = 'system' | 'light' | 'dark';
/** What lies over the window, at most one. */
export type Overlay = 'palette' | 'keys' | 'about' | null;

export interface Layout {
  readonly sidebarVisible: boolean;
  readonly detailsVisible: boolean;
  readonly sidebarWidth: number;
  readonly detailsWidth: number;
}

export interface UiSlice {
  readonly layout: Layout;
  readonly theme: Theme;
  readonly overlay: Overlay;
  /** The library lies over the tabs. */
  readonly libraryVisible: boolean;
  setLayout(patch: Partial<Layout>): void;
  setTheme(theme: Theme): void;
  setOverlay(overlay: Overlay): void;
  showLibrary(visible: boolean): void;
}

export const createUiSlice: StateCreator<UiSlice, [], [], UiSlice> = (set) => ({
  layout: { sidebarVisible: true, detailsVisible: true, sidebarWidth: 232, detailsWidth: 272 },
  theme: 'system',
  overlay: null,
  libraryVisible: false,
  setLayout: (patch) => set(({ layout }) => ({ layout: { ...layout, ...patch } })),
  setTheme: (theme) => set({ theme }),
  setOverlay: (overlay) => set({ overlay }),
  showLibrary: (libraryVisible) => set({ libraryVisible }),
});
