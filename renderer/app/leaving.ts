// Runs before the window closes: what is being typed is stored, and what cannot be kept is named, so that the user is asked about it.
import { isDesktop, shell } from '../connection/shell.ts';
import { settingNow } from '../state/settings.ts';
import { unsavedWork } from '../state/unsaved-work.ts';
import { leaveOpenFields } from '../ui/open-fields.ts';

/** A value waits its turn behind whatever the engine is doing. */
const STORING_TIMEOUT_MS = 3_000;

export function askBeforeWindowCloses(): void {
  shell.onAskedToClose(async () => {
    const waited = new Promise<'waiting'>((resolve) => setTimeout(resolve, STORING_TIMEOUT_MS, 'waiting'));
    const stored = await Promise.race([leaveOpenFields(), waited]);
    if (!settingNow('confirm.close')) return [];
    return [...typedText(stored), ...unsavedWork((await shell.windowInfo()).windowId)];
  });
  if (isDesktop) return;
  // The browser itself asks, in its own words, and only a page that the user has used.
  window.addEventListener('beforeunload', (event) => {
    void leaveOpenFields();
    if (!settingNow('confirm.close') || unsavedWork('').length === 0) return;
    event.preventDefault();
    event.returnValue = '';
  });
}

function typedText(stored: boolean | 'waiting'): string[] {
  if (stored === 'waiting') return ['A value you typed is still waiting to be stored.'];
  return stored ? [] : ['A value you typed could not be stored.'];
}
