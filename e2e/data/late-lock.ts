// A browser that takes its time to grant web locks, also free ones: as one under load does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs in a page, before its own scripts. Delays everything the lock manager says. */
export function answerLocksLate(delayMs: number): void {
  const manager = Object.getPrototypeOf(navigator.locks) as LockManager;
  const { request, query } = manager;
  const late = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
  manager.request = function (this: LockManager, name: string, ...rest: unknown[]): Promise<unknown> {
    const body = rest.pop() as (lock: Lock | null) => unknown;
    const granted = async (lock: Lock | null): Promise<unknown> => {
      await late();
      return body(lock);
    };
    return (request as (...all: unknown[]) => Promise<unknown>).call(this, name, ...rest, granted);
  } as never;
  manager.query = async function (this: LockManager) {
    await late();
    return query.call(this);
  };
}

/** A script for `SideliteApp.preloads` that does it in every page of the app. */
export function lateLocksScript(folder: string, delayMs: number): string {
  const code = `(${answerLocksLate.toString()})(${delayMs})`;
  const inPage = join(folder, 'late-locks-in-page.cjs');
  writeFileSync(inPage, `require('electron').webFrame.executeJavaScript(${JSON.stringify(code)});`);
  const inMain = join(folder, 'late-locks.cjs');
  writeFileSync(
    inMain,
    `const { app, session } = require('electron');
app.once('ready', () => session.defaultSession.setPreloads([${JSON.stringify(inPage)}]));`,
  );
  return inMain;
}
