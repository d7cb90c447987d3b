// State: the layout of the window.
import type { StateCreator } from 'zustand';

/** The overlay on top of the window, at most one. */
type Overlay = 'palette' | 'keys' | 'about' | 'replica' | null;

export interface Layout {
  readonly sidebarVisible: boolean;
  readonly detailsVisible: boolean;
  readonly sidebarWidth: number;
  readonly detailsWidth: number;
  /** Tables have a row of filter fields. */
  readonly filterRowVisible: boolean;
  /** Fraction of the tabs' width that the left of two sides has, 0 … 1. */
  readonly splitShare: number;
  /** Fraction of the width of rows and their map that the map has, 0 … 1. */
  readonly mapShare: number;
}

export interface UiSlice {
  readonly layout: Layout;
  /** The window is too narrow for three panes: the details are hidden until requested. */
  readonly isNarrow: boolean;
  readonly narrowDetailsVisible: boolean;
  readonly overlay: Overlay;
  /** Tab moves the focus out of the SQL editor instead of indenting. */
  readonly tabMovesFocus: boolean;
  /** The library is shown on top of the tabs. */
  readonly libraryVisible: boolean;
  setLayout(patch: Partial<Layout>): void;
  toggleDetails(): void;
  setNarrow(isNarrow: boolean): void;
  setOverlay(overlay: Overlay): void;
  showLibrary(visible: boolean): void;
  toggleTabMovesFocus(): void;
}

export const createUiSlice: StateCreator<UiSlice, [], [], UiSlice> = (set) => ({
  layout: {
    sidebarVisible: true,
    detailsVisible: true,
    sidebarWidth: 232,
    detailsWidth: 272,
    filterRowVisible: false,
    splitShare: 0.5,
    mapShare: 0.5,
  },
  isNarrow: false,
  narrowDetailsVisible: false,
  overlay: null,
  tabMovesFocus: false,
  libraryVisible: false,
  setLayout: (patch) => set(({ layout }) => ({ layout: { ...layout, ...patch } })),
  toggleDetails: () =>
    set(({ isNarrow, narrowDetailsVisible, layout }) =>
      isNarrow
        ? { narrowDetailsVisible: !narrowDetailsVisible }
        : { layout: { ...layout, detailsVisible: !layout.detailsVisible } },
    ),
  setNarrow: (isNarrow) => set({ isNarrow, narrowDetailsVisible: false }),
  setOverlay: (overlay) => set({ overlay }),
  showLibrary: (libraryVisible) => set({ libraryVisible }),
  toggleTabMovesFocus: () => set(({ tabMovesFocus }) => ({ tabMovesFocus: !tabMovesFocus })),
});

export const areDetailsVisible = ({ isNarrow, narrowDetailsVisible, layout }: UiSlice): boolean =>
  isNarrow ? narrowDetailsVisible : layout.detailsVisible;
