// What the menus of the title bar show now, and what choosing an entry does.
import { useEffect, useState } from 'react';
import type { SystemMenu } from '#shared/menu.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSetting } from '../../state/settings.ts';
import { chooseInMenu, useMenuStates } from '../../workbench/commands/commands.ts';
import type { MenuWorld } from './menu-entries.ts';

const NOTHING: SystemMenu = { recent: [], hasDevTools: false };

/** @param close closes the menu and gives the focus back, which a chosen command needs */
export function useMenuWorld(isOpen: boolean, close: () => void): MenuWorld {
  const { enabled, checked } = useMenuStates();
  const keys = useSetting('keys');
  const [system, setSystem] = useState(NOTHING);
  useEffect(() => {
    // Each time a menu opens; those of the last time are shown until then.
    void shell.systemMenu().then(setSystem, () => undefined);
  }, [isOpen]);
  const after =
    (choose: (id: never) => void): ((id: string) => void) =>
    (id) => {
      close();
      choose(id as never);
    };
  return {
    enabled,
    checked,
    keys,
    system,
    onCommand: after(chooseInMenu),
    onSystemEntry: after((id: string) => void shell.chooseSystemEntry(id).catch(notifyFailure)),
  };
}
