// Faults of the driver on the old Electron of the test runs, which are not the app's: the one place that knows and works around them.
import { _electron } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';

type LaunchOptions = NonNullable<Parameters<typeof _electron.launch>[0]>;

const LAUNCH_MS = 15_000;

/**
 * Starts the app. The driver waits for a line "DevTools listening on …" that Electron 22 prints, and recognizes it only as a line of its
 * own: where another thread has written to the same stream in between, it waits for ever although the app runs. What it started is then
 * ended by the time-out, `beforeRetry` removes what the lost start has left, and the app is started once more.
 */
export async function launchElectron(options: LaunchOptions, beforeRetry: () => unknown): Promise<ElectronApplication> {
  const bounded = { ...options, timeout: LAUNCH_MS };
  try {
    return await _electron.launch(bounded);
  } catch (error) {
    console.warn(`The driver did not reach the app; trying once more.\n${String(error)}`);
    beforeRetry();
    return await _electron.launch(bounded);
  }
}
