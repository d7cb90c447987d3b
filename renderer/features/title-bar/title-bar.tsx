// The title bar of a window that has none of the system: the menu, the title, and the buttons of the window.
import { Copy, Minus, Square, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { WindowSize } from '#shared/shell-api.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { PaneBoundary } from '../../ui/pane-boundary.tsx';
import { UiProvider } from '../../ui/provider.tsx';
import { windowTitleOf } from '../../workbench/window-title.ts';
import { MenuBar } from './menu-bar.tsx';
import './title-bar.css';

/** In a narrower window the title would have no room beside the menus. */
const NARROW = matchMedia('(max-width: 800px)');

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      NARROW.addEventListener('change', listener);
      return () => NARROW.removeEventListener('change', listener);
    },
    () => NARROW.matches,
  );
}

/**
 * Whatever fails in the menu, the window can be moved and closed.
 * @param hasButtons Windows draws its own, and its own border
 */
export function TitleBar({ hasButtons }: { readonly hasButtons: boolean }): ReactNode {
  const isFocused = useWindowFocus();
  return (
    <div
      role="region"
      aria-label="Title bar"
      className="sunken ruled title-bar"
      data-inactive={!isFocused || undefined}
    >
      <PaneBoundary name="The menu" variant="line">
        <UiProvider>
          <MenuAndTitle />
        </UiProvider>
      </PaneBoundary>
      {hasButtons ? <WindowButtons /> : <span />}
    </div>
  );
}

function MenuAndTitle(): ReactNode {
  const title = useStore(windowTitleOf);
  const isCollapsed = useNarrow();
  return (
    <>
      <MenuBar key={String(isCollapsed)} isCollapsed={isCollapsed} />
      {/* A new title is a new element: a text in the middle would move when it changes. */}
      <span key={title} className="cut dim small window-title">
        {title}
      </span>
    </>
  );
}

/** The title of a window in the background is faint. */
function useWindowFocus(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const over = new AbortController();
      for (const event of ['focus', 'blur']) window.addEventListener(event, listener, { signal: over.signal });
      return () => over.abort();
    },
    () => document.hasFocus(),
  );
}

/** Screen readers and the keyboard have the commands of the system for these, as with a bar of the system. */
function WindowButtons(): ReactNode {
  const [size, setSize] = useState<WindowSize>('normal');
  useEffect(() => {
    shell.onWindowSize(setSize).catch(notifyFailure);
  }, []);
  useEffect(() => {
    document.documentElement.dataset['windowSize'] = size;
  }, [size]);
  const [label, icon] = SIZE_BUTTONS[size];
  return (
    <span className="row window-buttons" aria-hidden>
      <WindowButton label="Minimize" onPress={shell.minimizeWindow}>
        <Minus size={15} />
      </WindowButton>
      <WindowButton label={label} onPress={shell.maximizeWindow}>
        {icon}
      </WindowButton>
      <WindowButton label="Close" isClosing onPress={shell.closeWindow}>
        <X size={16} />
      </WindowButton>
    </span>
  );
}

const SIZE_BUTTONS: Readonly<Record<WindowSize, readonly [label: string, icon: ReactNode]>> = {
  normal: ['Maximize', <Square key="normal" size={12} />],
  maximized: ['Restore', <Copy key="maximized" size={13} className="restore-icon" />],
  'full-screen': ['Leave full screen', <Copy key="full-screen" size={13} className="restore-icon" />],
};

interface WindowButtonProps {
  readonly label: string;
  readonly onPress: () => Promise<void>;
  readonly isClosing?: boolean;
  readonly children: ReactNode;
}

/** Keeps the focus where it is. */
function WindowButton({ label, onPress, isClosing = false, children }: WindowButtonProps): ReactNode {
  return (
    <button
      type="button"
      tabIndex={-1}
      className="window-button"
      title={label}
      data-closes={isClosing || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => void onPress().catch(notifyFailure)}
    >
      {children}
    </button>
  );
}
