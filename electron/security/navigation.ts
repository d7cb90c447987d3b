// Keeps every page where it was loaded: no navigation, no window of its own, no webview.
import { app } from 'electron';
import type { Event } from 'electron';
import { openExternal } from './external-links.ts';

export function confineNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    const deny = (event: Event): void => event.preventDefault();
    contents.on('will-navigate', deny);
    contents.on('will-redirect', deny);
    contents.on('will-attach-webview', deny);
    contents.setWindowOpenHandler(({ url }) => {
      void openExternal(url);
      return { action: 'deny' };
    });
  });
}
