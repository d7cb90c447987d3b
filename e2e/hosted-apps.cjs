// Loaded ahead of main (`-r`): keeps main from starting the app, and runs the apps of many stories in its process, one after another.
// Electron loads it, so it is CommonJS for its own Node. `shared-electron.ts` calls what it puts on `globalThis.sideliteHost`.
'use strict';
const electron = require('electron');

const { app, clipboard, dialog, Menu, nativeTheme, shell } = electron;

/** Functions of these are replaced by stories, which leave it at that. */
const REPLACEABLE = [app, clipboard, dialog, Menu, Menu.prototype, nativeTheme, shell];
const originals = REPLACEABLE.map((object) => Object.getOwnPropertyDescriptors(object));
const environment = { ...process.env };
let globals = new Set();

/** @type {((options: object) => { dispose(): Promise<void> }) | null} */
let startApp = null;
/** @type {((argv: readonly string[], packaged: boolean, cwd: string) => any) | null} */
let parseCommandLine = null;
/** @type {{ dispose(): Promise<void> } | null} */
let running = null;

globalThis.sideliteApps = (start, parse) => {
  [startApp, parseCommandLine] = [start, parse];
  // Chromium goes on writing to the partition of a story that has ended, so it is not in the folder of that story.
  app.setPath('sessionData', app.getPath('userData'));
};
// Between two stories there is no window.
app.on('window-all-closed', () => undefined);

globalThis.sideliteHost = {
  /** @param {{ profile: string, partition: string, words: readonly string[] }} options */
  async start({ profile, partition, words }) {
    await app.whenReady();
    if (running) throw new Error('The app of the story before is still running.');
    forgetStory();
    // Where the app has its files.
    app.setPath('userData', profile);
    const commandLine = parseCommandLine([process.execPath, app.getAppPath(), ...words], false, process.cwd());
    const requests = commandLine.files.map((path) => ({ path, view: commandLine.view }));
    running = startApp({ commandLine, order: null, partition, requests });
  },
  async end() {
    await running?.dispose();
    running = null;
  },
};
globals = new Set(Object.getOwnPropertyNames(globalThis));

/** Undoes what a story did to the process. */
function forgetStory() {
  REPLACEABLE.forEach((object, index) => {
    for (const name of Object.keys(Object.getOwnPropertyDescriptors(object)))
      if (!(name in originals[index])) delete object[name];
    Object.defineProperties(object, onlyConfigurable(originals[index]));
  });
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!globals.has(name)) delete globalThis[name];
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  clipboard.clear();
}

function onlyConfigurable(descriptors) {
  return Object.fromEntries(Object.entries(descriptors).filter(([, { configurable }]) => configurable));
}
