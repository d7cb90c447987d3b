// Stands in for Electron's own default app, which the legacy runtime lacks: runs the app folder given on the command line.
'use strict';
const { app } = require('electron');
const Module = require('node:module');
const path = require('node:path');

/** Parses like Electron: switches first, `-r FILE` loads FILE ahead of the app, the first other word is the app. */
function parse(words) {
  const preloads = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === '-r' || word === '--require') preloads.push(words[++at]);
    else if (!word.startsWith('-')) return { preloads, appPath: path.resolve(word) };
  }
  return { preloads, appPath: null };
}

const { preloads, appPath } = parse(process.argv.slice(1));
if (appPath === null) {
  console.error('Give the folder of an app to run.');
  app.exit(2);
} else {
  process.defaultApp = true;
  const { name, productName, version, desktopName } = require(path.join(appPath, 'package.json'));
  app.setName(productName ?? name);
  app.setVersion(version);
  app.setDesktopName(desktopName ?? `${app.getName()}.desktop`);
  app.setAppPath(appPath);
  // The shell's own name was in force until now, and the default data folder follows the name only as long as it is unset.
  if (!app.commandLine.hasSwitch('user-data-dir')) {
    app.setPath('userData', path.join(app.getPath('appData'), app.getName()));
  }
  Module._preloadModules(preloads);
  Module._load(appPath, Module, true);
}
