// How every page of ours runs, the hidden one included: confined, and without services of Chromium that use the network.
import { join } from 'node:path';
import type { WebPreferences } from 'electron';

export function pagePreferences(preload: 'preload' | 'host-preload'): WebPreferences {
  return {
    preload: join(__dirname, `${preload}.cjs`),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    // Would download dictionaries, and underline SQL.
    spellcheck: false,
  };
}
