// The menu of a window: what the page says of its commands, and what the page chooses of the entries that main carries out.
import { app } from 'electron';
import * as v from 'valibot';
import { recentNames } from '../files/recent-files.ts';
import type { RecentFiles } from '../files/recent-files.ts';
import type { Lifetime } from '../lifetime.ts';
import { chooseSystemEntry, showCommandStates } from '../menu.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import type { AppWindows } from '../windows/registry.ts';

const STATES = v.object({ enabled: v.array(v.string()), checked: v.array(v.string()) });

interface MenuServices {
  readonly windows: AppWindows;
  readonly lifetime: Lifetime;
  readonly recent: RecentFiles;
}

export function serveMenu({ answer }: TrustedIpc, { windows, lifetime, recent }: MenuServices): void {
  answer('menu.states', (window, states) => {
    const { enabled, checked } = v.parse(STATES, states);
    window.enabledCommands = new Set(enabled);
    window.checkedCommands = new Set(checked);
    if (windows.current === window) showCommandStates(window);
  });
  answer('menu.system', () => ({ recent: recentNames(recent), hasDevTools: !app.isPackaged }));
  answer('menu.choose', (window, id) => chooseSystemEntry(text(id), window));
  lifetime.on(app, 'browser-window-focus', () => showCommandStates(windows.current));
}
