// The list of all open tabs, at the end of a strip that cannot show all of them.
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { titleAmong } from '../state/tab-kinds.ts';
import { activateTab, useStore } from '../state/store.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { focusContent } from '../workbench/commands/focus-content.ts';

interface TabListMenuProps {
  /** The tabs as the strip shows them. */
  readonly list: RefObject<HTMLElement | null>;
  readonly tabs: readonly Tab[];
}

export function TabListMenu({ list, tabs }: TabListMenuProps): ReactNode {
  const isCut = useIsCut(list, tabs);
  const activeTabId = useStore((state) => state.activeTabId);
  const openDatabases = useStore((state) => state.openDatabases);
  if (!isCut) return null;
  const entries = tabs.map((tab) => ({
    label: visibleName(titleAmong(tab, tabs)) || '(empty name)',
    hint: (tab.database !== null && openDatabases[tab.database]?.entry.name) || undefined,
    checked: tab.id === activeTabId,
    run: () => {
      activateTab(tab.id);
      focusContent();
    },
  }));
  return (
    <Menu
      align="end"
      entries={entries}
      trigger={
        <IconButton label="All tabs">
          <ChevronDown size={15} />
        </IconButton>
      }
    />
  );
}

/** Whether the strip scrolls. */
function useIsCut(list: RefObject<HTMLElement | null>, tabs: readonly Tab[]): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const strip = list.current!;
    const look = (): void => setCut(strip.scrollWidth > strip.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(strip);
    look();
    return () => observer.disconnect();
  }, [list, tabs]);
  return isCut;
}
