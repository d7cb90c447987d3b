// Starts the window: theme before the first paint, then the interface, then the connection.
import './ui/layout.css';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { App } from './app/app.tsx';
import { NotIsolated } from './app/not-isolated.tsx';
import { TAB_KINDS } from './app/tab-kinds.ts';
import { askBeforeWindowCloses } from './app/leaving.ts';
import { followSettings } from './app/apply-settings.ts';
import { followWidth } from './app/width.ts';
import { client } from './connection/database-client.ts';
import { startAnew } from './state/session-state.ts';
import { beginWithRememberedSettings, startSettings } from './state/settings-sync.ts';
import { loadTabKinds, registerTabKinds } from './state/tab-kinds.ts';
import { isDesktop, shell } from './connection/shell.ts';
import { isSqlFile } from './workbench/tabs/import.ts';
import { startClient } from './workbench/start.ts';
import { notifyFailure } from './state/databases.ts';
import { askBeforeFirstEdit } from './features/library/first-edit.ts';
import { openFiles, tellOfDamage } from './features/library/opening.ts';
import { TitleBar } from './features/title-bar/title-bar.tsx';
import { isMac, isWindows } from './ui/is-mac.ts';
import { PaneBoundary } from './ui/pane-boundary.tsx';
import { UiProvider } from './ui/provider.tsx';
import type { OpenedFile } from '#shared/shell-api.ts';
import { TITLE_BAR } from '#shared/title-bar.ts';
import { trustOwnScripts } from '#shared/trusted-scripts.ts';
import { BENCH_HASH, BENCH_WINDOW_HASH } from '#shared/bench/shell.ts';
import './ui/tokens.css';
import './ui/base.css';

trustOwnScripts();
beginWithRememberedSettings();
followSettings();
followWidth();
if (!crossOriginIsolated) startNothing();
else if (location.hash === BENCH_WINDOW_HASH) void runSecondWindow();
else startApp();

function root(id: 'root' | 'title-bar' = 'root'): Root {
  // The boundaries log what they catch.
  return createRoot(document.getElementById(id)!, { onCaughtError: () => undefined });
}

/** The title bar has a root of its own: whatever fails in the window, the window can be moved and closed. */
function showTitleBar(): void {
  if (!isDesktop || isMac) return;
  document.documentElement.dataset['titleBar'] = '';
  document.documentElement.style.setProperty('--title-bar', `${TITLE_BAR.height}px`);
  root('title-bar').render(<TitleBar hasButtons={!isWindows} />);
}

function startNothing(): void {
  showTitleBar();
  root().render(<NotIsolated />);
}

function startApp(): void {
  registerTabKinds(TAB_KINDS);
  showTitleBar();
  root().render(
    <PaneBoundary name="The window" again={{ label: 'Reload the window', run: startAnew }}>
      <UiProvider>
        <App />
      </UiProvider>
    </PaneBoundary>,
  );
  startSettings().catch(notifyFailure);
  askBeforeWindowCloses();
  client.onFirstEdit(askBeforeFirstEdit);
  client.onDamage(tellOfDamage);
  const started = startClient().catch(notifyFailure);
  // Open it after the databases that were open before, so that it stays in front of them.
  let earlier: Promise<unknown> = started;
  const open = (file: OpenedFile): Promise<void> =>
    new Promise((taken) => {
      // An SQL file is edited in a tab of a database, which may be a file of the same request.
      const begin = isSqlFile(file) ? earlier : started;
      const opened = begin
        .then(() => openFiles([file], { onTaken: () => taken() }))
        .catch(notifyFailure)
        .finally(taken);
      earlier = Promise.all([earlier, opened]);
    });
  shell.onOpenRequest(open).catch(notifyFailure);
  if (location.hash === BENCH_HASH) void runJob().catch(notifyFailure);
  else void started.then(() => earlier).then(() => requestIdleCallback(loadTabKinds));
}

/** Runs a second window for measurements: nothing of the interface is in it. */
async function runSecondWindow(): Promise<void> {
  await (await import('./features/benchmark/runner/second-window.ts')).runSecondWindow();
}

/** Loaded only when the command line asks for it. */
async function runJob(): Promise<void> {
  const { runCommandLineJob } = await import('./features/benchmark/runner/run.ts');
  const { APP_SUITES } = await import('./features/benchmark/runner/app-suites/all.ts');
  await client.ready;
  await runCommandLineJob(APP_SUITES);
}
